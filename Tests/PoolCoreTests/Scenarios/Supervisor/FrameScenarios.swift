import PoolModel
import Testing

@testable import PoolCore

/// A worker that has begun a frame goes on with it, or is killed, whatever it is capable of.
@Suite("Frames that stop")
struct FrameScenarios {
  private func executing(
    _ capabilities: Set<Capability> = .minimal,
    timeout: Int64? = nil
  ) -> Scenario {
    let scenario = Scenario()
    scenario.submit([.init("a", timeout: timeout)], "spawn 1 of 0")
    scenario.greet(1, as: capabilities, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.start("a", "a executes on 1 as attempt 1")
    return scenario
  }

  private func frame(_ count: Int, from start: UInt64 = 100) -> PartialFrame {
    PartialFrame(start: start, count: count)
  }

  @Test("a worker that cannot be asked is killed when its frame has stopped for 10 s")
  func stops() {
    let scenario = executing()
    scenario.pass(.seconds(600))
    scenario.pause(1, within: frame(5))
    scenario.pass(.seconds(10) - 1)
    scenario.pass(1, "signal 1 with 9 for frame")
    scenario.pass(.seconds(600))
    scenario.exit(1, "blame a for 1", "settle a lost by violation in attempt 1 on 1")
  }

  @Test("one that can be asked is killed for its frame before it is for its silence")
  func pinged() {
    var capabilities = Set<Capability>.full
    capabilities.insert(.ping)
    let scenario = executing(capabilities)
    scenario.pass(.seconds(5))
    scenario.pause(1, within: frame(5))
    scenario.pass(.seconds(10), "signal 1 with 9 for frame")
  }

  @Test("a byte now and then does not count, and 4 KiB do")
  func drip() {
    let scenario = executing()
    scenario.pause(1, within: frame(5))
    scenario.pass(.seconds(9))
    scenario.pause(1, within: frame(5 + 4_096))
    for count in 1...9 {
      scenario.pass(.seconds(1))
      scenario.pause(1, within: frame(5 + 4_096 + count))
    }
    scenario.pause(1, within: frame(5 + 2 * 4_096 - 1))
    scenario.pass(.seconds(1) - 1)
    scenario.pass(1, "signal 1 with 9 for frame")
  }

  @Test("each frame has its time, also where no reading ever ends between two")
  func successive() {
    let scenario = executing()
    for number in UInt64(1)...20 {
      scenario.pause(1, within: frame(5, from: number * 10))
      scenario.pass(.seconds(9))
    }
    scenario.pause(1)
    scenario.pass(.seconds(600))
    #expect(scenario.machine.nextDeadline == nil)
  }

  @Test(
    "a worker that has nothing to do is held to it as well, and one that greets to its greeting"
  )
  func idle() {
    let scenario = executing()
    scenario.answer("a", .succeeded, "settle a succeeded by answer in attempt 1 on 1")
    scenario.pause(1, within: frame(5))
    scenario.pass(.seconds(10), "signal 1 with 9 for frame")
    scenario.exit(1)
    scenario.submit([.init("b")], "spawn 2 of 0")
    scenario.pass(.seconds(9))
    scenario.pause(2, within: frame(3, from: 0))
    scenario.pass(.seconds(1), "signal 2 with 9 for greeting")
  }

  @Test("while it is not read, on purpose, no time runs, and then it has all of its time")
  func pauseReading() {
    let scenario = executing()
    scenario.pause(1, within: frame(5))
    scenario.pass(.seconds(9))
    scenario.read(1, false)
    scenario.pass(.seconds(600))
    scenario.read(1, true)
    scenario.pass(.seconds(10) - 1)
    scenario.pass(1, "signal 1 with 9 for frame")
  }

  @Test("an absence of the coordinator is not held against it")
  func absence() {
    let scenario = executing()
    scenario.pause(1, within: frame(5))
    scenario.comeLate(.seconds(500))
    scenario.pass(.seconds(10) - 1)
    scenario.pass(1, "signal 1 with 9 for frame")
  }

  @Test("while a teardown is under way, its graces are the measure")
  func teardown() {
    let scenario = executing(timeout: .seconds(5))
    scenario.pass(.seconds(4))
    scenario.pause(1, within: frame(5))
    scenario.pass(.seconds(1), "signal 1 with 15")
    scenario.pass(.seconds(1), "signal 1 with 9")
    scenario.exit(1, "settle a timedOut by timeout in attempt 1 on 1")
  }

  @Test(
    "where none of a sort has begun anything, and one stops within a frame, no more are started"
  )
  func givenUp() {
    let scenario = Scenario()
    scenario.submit([.init("a"), .init("b")], "spawn 1 of 0")
    scenario.greet(1, as: .minimal, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.stopWithinFrame(1)
    scenario.exit(
      1,
      "blame a for 1",
      "give up 0",
      "settle a failed by noWorker",
      "settle b failed by noWorker"
    )
    #expect(scenario.machine.nextDeadline == nil)
  }

  @Test("where one had begun something, as is known when it is gone, another one is started")
  func hadBegun() {
    let scenario = Scenario()
    scenario.submit([.init("a"), .init("b")], "spawn 1 of 0")
    scenario.greet(1, as: .minimal, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.stopWithinFrame(1)
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.exit(
      1,
      "blame a for 1",
      "settle a lost by violation in attempt 1 on 1",
      "spawn 2 of 0"
    )
  }

  @Test(
    "where one of a sort has finished something, the operation that each stops under is set aside"
  )
  func setAside() {
    let scenario = Scenario()
    scenario.submit([.init("z")], "spawn 1 of 0")
    scenario.greet(1, as: .minimal, "announce 0", "dispatch z to 1 as attempt 1")
    scenario.execute("z")
    scenario.submit([.init("a")], "dispatch a to 1 as attempt 1")
    scenario.stopWithinFrame(1)
    scenario.exit(1, "blame a for 1", "spawn 2 of 0")
    scenario.greet(2, as: .minimal, "dispatch a to 2 as attempt 1")
    scenario.stopWithinFrame(2)
    scenario.exit(2, "blame a for 2", "spawn 3 of 0")
    scenario.greet(3, as: .minimal, "dispatch a to 3 as attempt 1")
    scenario.stopWithinFrame(3)
    scenario.exit(3, "blame a for 3", "settle a lost by quarantined on 3")
    #expect(scenario.machine.nextDeadline == nil)
  }
}

extension Scenario {
  fileprivate func stopWithinFrame(_ worker: UInt32) {
    pause(worker, within: PartialFrame(start: 100, count: 5))
    pass(.seconds(10), "signal \(worker) with 9 for frame")
  }
}

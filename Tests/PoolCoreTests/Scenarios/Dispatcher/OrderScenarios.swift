import PoolModel
import Testing

@testable import PoolCore

/// In which order what is ready is handed out: by priority, then in the order of submission.
@Suite("Order of dispatch")
struct OrderScenarios {
  /// Executes what the one worker was given, to its good end.
  private func execute(_ names: [String], in scenario: Scenario) {
    for (name, next) in zip(names, names.dropFirst() + [""]) {
      scenario.start(name, "\(name) executes on 1 as attempt 1")
      let settled = "settle \(name) succeeded by answer in attempt 1 on 1"
      if next.isEmpty {
        scenario.answer(name, .succeeded, settled)
      } else {
        scenario.answer(name, .succeeded, settled, "dispatch \(next) to 1 as attempt 1")
      }
    }
  }

  @Test("the five levels come before the order of submission, which breaks ties")
  func levels() {
    let scenario = Scenario()
    scenario.submit(
      [
        .init("a", .veryLow), .init("b", .low), .init("c", .normal), .init("d", .high),
        .init("e", .veryHigh), .init("f", .veryHigh), .init("g", .normal), .init("h", .veryLow),
      ],
      "spawn 1 of 0"
    )
    scenario.greet(1, "announce 0", "dispatch e to 1 as attempt 1")
    execute(["e", "f", "d", "c", "g", "b", "a", "h"], in: scenario)
  }

  @Test("a batch is complete before any of it is dispatched")
  func batch() {
    let scenario = Scenario()
    scenario.submit([.init("a")], "spawn 1 of 0")
    scenario.greet(1, "announce 0", "dispatch a to 1 as attempt 1")
    execute(["a"], in: scenario)
    // The worker is idle, and yet the last of the batch is the first to be dispatched.
    scenario.submit(
      [.init("b", .low), .init("c"), .init("d", .high)],
      "dispatch d to 1 as attempt 1"
    )
    execute(["d", "c", "b"], in: scenario)
  }

  @Test("what was submitted earlier comes first, even if it became ready later")
  func lateReadiness() {
    let scenario = Scenario()
    scenario.submit(
      [.init("b", after: ["z"]), .init("z", .high), .init("c"), .init("d")],
      "spawn 1 of 0"
    )
    scenario.greet(1, "announce 0", "dispatch z to 1 as attempt 1")
    execute(["z", "b", "c", "d"], in: scenario)
  }

  @Test("a retried operation keeps its place in the order")
  func retriedPlace() {
    let scenario = Scenario()
    scenario.submit([.init("a", retries: 1), .init("b"), .init("c")], "spawn 1 of 0")
    scenario.greet(1, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.answer(
      "a",
      .failed,
      "retry a failed by answer in attempt 1 on 1",
      "dispatch a to 1 as attempt 2"
    )
  }

  @Test("the kinds of a worker configuration share one order")
  func kinds() {
    let scenario = Scenario(kinds: 2)
    scenario.submit(
      [.init("a", kind: 1), .init("b", kind: 0), .init("c", kind: 1)],
      "spawn 1 of 0"
    )
    scenario.greet(1, "announce 0", "dispatch a to 1 as attempt 1")
    execute(["a", "b", "c"], in: scenario)
  }

  @Test("no more is dispatched than the width allows")
  func width() {
    let scenario = Scenario(workers: 2)
    scenario.machine.change(.width(1, of: scenario.queue))
    scenario.submit([.init("a"), .init("b")], "spawn 1 of 0")
    scenario.greet(1, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.widen(to: 2, "spawn 2 of 0")
    scenario.widen(to: 1)
    scenario.greet(2)
    scenario.widen(to: 2, "dispatch b to 2 as attempt 1")
  }

  @Test("while suspended nothing is dispatched, and what was dispatched goes on")
  func suspension() {
    let scenario = Scenario()
    scenario.submit([.init("a"), .init("b")], "spawn 1 of 0")
    scenario.greet(1, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.suspend()
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.answer("a", .succeeded, "settle a succeeded by answer in attempt 1 on 1")
    scenario.resume("dispatch b to 1 as attempt 1")
  }

  @Test(
    "workers that have nothing to do come before those with prefetch, whatever their worker configuration"
  )
  func idleBeforePrefetch() {
    let kind = KindID(rawValue: 0)
    let configuration = ConfigurationSpec(count: 1, kinds: [kind])
    let scenario = Scenario(configurations: [configuration, configuration])
    scenario.expectShort()
    scenario.submit([.init("a"), .init("b")], "spawn 1 of 0", "spawn 2 of 1")
    scenario.greet(
      1,
      as: .full,
      "announce 0",
      "dispatch a to 1 as attempt 1",
      "dispatch b to 1 as attempt 1"
    )
    scenario.greet(2, as: .full, "announce 1")
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.submit(
      [.init("c"), .init("d")],
      "dispatch c to 2 as attempt 1",
      "dispatch d to 1 as attempt 1"
    )
  }
}

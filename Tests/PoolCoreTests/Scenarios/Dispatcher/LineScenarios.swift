import PoolModel
import Testing

@testable import PoolCore

/// What waits in a worker is asked back where it would wait there longer than elsewhere.
@Suite("Lines that are asked back")
struct LineScenarios {
  /// Short operations are expected; `0` executes on worker 1, and the others wait behind it.
  private func line(_ count: Int, workers: Int = 1) -> Scenario {
    let scenario = Scenario(workers: workers)
    scenario.expectShort()
    for name in 0..<count { scenario.create(Scenario.Plan("\(name)")) }
    _ = scenario.context { machine, now in
      machine.enqueue((0..<count).map { scenario.id("\($0)") }, in: scenario.queue, at: now)
    }
    _ = scenario.context { machine, now in
      machine.workerGreeted(
        WorkerID(rawValue: 1),
        kinds: scenario.kinds,
        capabilities: .full,
        at: now
      )
    }
    scenario.start("0", "0 executes on 1 as attempt 1")
    return scenario
  }

  /// How long operations of the only kind are expected to take.
  private func expected(_ scenario: Scenario) -> Int64? {
    let kindQueue = scenario.machine.dispatcher.kindQueue(of: scenario.kinds[0], in: scenario.queue)
    return scenario.machine.dispatcher.kindQueues[kindQueue].estimate.known
  }

  private func recalls(_ effects: [String]) -> Int { effects.count { $0.hasPrefix("recall") } }

  /// Worker 1 answers these in one bunch after so long, the last but one beginning with the last.
  private func answer(_ names: Range<Int>, after length: Int64, _ scenario: Scenario) -> [String] {
    scenario.now = scenario.now.advanced(by: length)
    let (_, effects) = scenario.context { machine, now in
      let worker = WorkerID(rawValue: 1)
      for name in names {
        let reference = scenario.reference("\(name)")
        let next = scenario.reference("\(name + 1)")
        _ = machine.workerReported(
          .answered(.succeeded, .error, .none),
          reference,
          by: worker,
          at: now
        )
        if machine.dispatcher.first(of: WorkerHandle(0))?.reference == next {
          _ = machine.workerReported(.executing(group: nil), next, by: worker, at: now)
        }
      }
      machine.workerWasRead(worker, at: now)
    }
    return effects.filter { !$0.contains("executes") }
  }

  @Test(
    "one slow answer counts at once where its line was asked back: nothing waits behind the next"
  )
  func slowAnswer() {
    let scenario = line(4)
    scenario.pass(
      .milliseconds(6),
      "recall 1 from 1",
      "recall 2 from 1",
      "recall 3 from 1"
    )
    for name in ["3", "2", "1"] { scenario.allowReuse(of: name) }
    let effects = answer(0..<1, after: .milliseconds(20), scenario)
    #expect(
      effects == [
        "settle 0 succeeded by answer in attempt 1 on 1", "dispatch 1 to 1 as attempt 1",
      ]
    )
    #expect(expected(scenario) == .milliseconds(26))
  }

  @Test("a worker that was interrupted, and then has many answers, does not make its kind slow")
  func interruption() {
    let scenario = line(20)
    scenario.now = scenario.now.advanced(by: .milliseconds(6))
    _ = scenario.context { machine, now in machine.fireTimers(at: now) }
    // It was about to answer what was asked back.
    _ = answer(0..<10, after: 1_000, scenario)
    #expect((expected(scenario) ?? .max) < 2_000)
  }

  @Test("operations that are all slower than expected are asked back though each answer comes soon")
  func slowLine() {
    let scenario = line(400)
    var effects: [String] = []
    var answered = 0
    while recalls(effects) == 0, answered < 20 {
      effects = answer(answered..<(answered + 1), after: .milliseconds(1), scenario)
      answered += 1
    }
    // All but the one that executes, and what was answered.
    #expect(recalls(effects) == 400 - answered - 1)
    #expect(answered <= 10)
  }

  @Test("a line that takes as long as was expected stays where it is")
  func steadyLine() {
    let scenario = line(400)
    for name in 0..<100 {
      let effects = answer(name..<(name + 1), after: 2_000, scenario)
      #expect(recalls(effects) == 0)
    }
  }

  @Test("what is urgent does not wait behind what is less urgent: a line is asked back for it")
  func urgency() {
    let scenario = line(400)
    let waiting = (1..<400).map { "recall \($0) from 1" }
    scenario.create(Scenario.Plan("urgent", .veryHigh))
    let (_, effects) = scenario.context { machine, now in
      machine.enqueue([scenario.id("urgent")], in: scenario.queue, at: now)
    }
    #expect(effects == waiting)
    for name in (1..<400).reversed() { scenario.allowReuse(of: "\(name)") }
    let next = answer(0..<1, after: 2_000, scenario)
    #expect(next.dropFirst().first == "dispatch urgent to 1 as attempt 1")
  }

  @Test("lines are not asked back again and again where what is urgent keeps coming")
  func urgencies() {
    let scenario = line(400)
    var recalled = 0
    for name in 0..<100 {
      scenario.create(Scenario.Plan("urgent \(name)", .high))
      let (_, effects) = scenario.context { machine, now in
        machine.enqueue([scenario.id("urgent \(name)")], in: scenario.queue, at: now)
      }
      recalled += recalls(effects)
      scenario.now = scenario.now.advanced(by: 10_000)
    }
    #expect(recalled == 399)
  }

  @Test("a short line is worth no recall, and what is urgent is not put behind it")
  func shortLine() {
    let scenario = line(100)
    scenario.submit([.init("urgent", .veryHigh)])
    let next = answer(0..<99, after: 99_000, scenario)
    #expect(next.last == "settle 98 succeeded by answer in attempt 1 on 1")
    #expect(answer(99..<100, after: 1_000, scenario).last == "dispatch urgent to 1 as attempt 1")
  }

  @Test("a worker with nothing to do relieves one that is long at what it executes")
  func relief() {
    let scenario = line(3, workers: 2)
    scenario.now = scenario.now.advanced(by: PrefetchPolicy.longWork)
    scenario.greet(2, as: .full, "recall 1 from 1", "recall 2 from 1")
    scenario.allowReuse(of: "2", "dispatch 2 to 2 as attempt 1")
  }

  @Test("a worker with nothing to do leaves short lines to those that have them")
  func noRelief() {
    let scenario = line(3, workers: 2)
    scenario.now = scenario.now.advanced(by: PrefetchPolicy.longWork - 1)
    scenario.greet(2, as: .full)
  }
}

import PoolModel
import Testing

@testable import PoolCore

/// When an operation is executed again, and when it is not.
@Suite("Retries after a delay")
struct RetryScenarios {
  /// A scenario whose one worker has just failed `a`, which may be executed so often again.
  private func failing(_ rule: RetryRule, retries: Int = 2) -> Scenario {
    let scenario = Scenario()
    scenario.staff(1)
    var spec = OperationSpec(kind: scenario.kinds[0], retries: retries)
    spec.retryRule = rule
    scenario.name(scenario.machine.create(spec), "a")
    scenario.enqueue("a", expecting: ["dispatch a to 1 as attempt 1"])
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.answer("a", .failed, "retry a failed by answer in attempt 1 on 1")
    return scenario
  }

  @Test("an operation waits for its next attempt, longer each time, and not a moment more")
  func delays() {
    let scenario = failing(RetryRule(delay: 1_000, growth: 4))
    #expect(scenario.machine.graph.phase(of: scenario.id("a")) == .pending)
    let first = scenario.timeLeft
    #expect((1_000...1_500).contains(first))
    scenario.pass(first - 1)
    scenario.pass(1, "dispatch a to 1 as attempt 2")
    scenario.start("a", "a executes on 1 as attempt 2")
    scenario.answer("a", .failed, "retry a failed by answer in attempt 2 on 1")
    let second = scenario.timeLeft
    #expect((4_000...6_000).contains(second))
    scenario.pass(second, "dispatch a to 1 as attempt 3")
    scenario.execute("a", .failed, attempt: 3)
    #expect(scenario.machine.nextDeadline == nil || scenario.machine.graph.unsettledCount == 0)
  }

  @Test("one that is cancelled while it waits leaves at once, and nothing is due for it")
  func cancelled() {
    let scenario = failing(RetryRule(delay: 1_000))
    scenario.cancel("a", "settle a cancelled by request in attempt 1")
    scenario.pass(2_000)
    scenario.release("a")
    scenario.pass(2_000)
  }

  @Test("the next user of its place is not disturbed by its timer")
  func reuse() {
    let scenario = failing(RetryRule(delay: 1_000))
    scenario.cancel("a", "settle a cancelled by request in attempt 1")
    scenario.release("a")
    scenario.create(.init("b"))
    #expect(scenario.id("b").index == scenario.machine.graph.operations.handles.count - 1)
    scenario.addGate("b")
    scenario.enqueue("b")
    scenario.pass(2_000)
    #expect(scenario.machine.graph.phase(of: scenario.id("b")) == .pending)
    scenario.openGate("b", "dispatch b to 1 as attempt 1")
  }

  @Test("what it is told to wait for meanwhile, it waits for")
  func dependency() {
    let scenario = failing(RetryRule(delay: 1_000))
    scenario.create(.init("z"))
    scenario.link("a", after: "z", .finished)
    scenario.pass(1_500)
    scenario.conclude("z", as: .succeeded, "dispatch a to 1 as attempt 2")
  }

  @Test("only the endings that the rule names are followed by another attempt")
  func endings() {
    let scenario = Scenario()
    scenario.staff(1)
    var spec = OperationSpec(kind: scenario.kinds[0], retries: 5)
    spec.retryRule = RetryRule(delay: 0, on: [.lost, .cancelled, .succeeded])
    for name in ["a", "b"] { scenario.name(scenario.machine.create(spec), name) }
    scenario.enqueue("a", expecting: ["dispatch a to 1 as attempt 1"])
    scenario.execute("a", .failed)
    scenario.enqueue("b", expecting: ["dispatch b to 1 as attempt 1"])
    scenario.execute("b", .succeeded)
    #expect(scenario.machine.graph.unsettledCount == 0)
  }

  @Test("without a delay, the next attempt is made at once")
  func immediate() {
    let scenario = Scenario()
    scenario.staff(1)
    var spec = OperationSpec(kind: scenario.kinds[0], retries: 1)
    spec.retryRule = RetryRule(delay: 0)
    scenario.name(scenario.machine.create(spec), "a")
    scenario.enqueue("a", expecting: ["dispatch a to 1 as attempt 1"])
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.answer(
      "a",
      .failed,
      "retry a failed by answer in attempt 1 on 1",
      "dispatch a to 1 as attempt 2"
    )
  }

  @Test("its observers are told that it waits, and that it is ready again")
  func notes() {
    let scenario = Scenario()
    scenario.staff(1)
    var spec = OperationSpec(kind: scenario.kinds[0], retries: 1)
    spec.retryRule = RetryRule(delay: 1_000)
    scenario.name(scenario.machine.create(spec), "a")
    scenario.observe("a")
    scenario.enqueue("a", expecting: ["note a ready", "dispatch a to 1 as attempt 1"])
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.answer(
      "a",
      .failed,
      "retry a failed by answer in attempt 1 on 1",
      "note a pending"
    )
    scenario.pass(1_500, "note a ready", "dispatch a to 1 as attempt 2")
  }

  @Test(
    "delays grow to their maximum, none is shorter than asked for, and they are always the same"
  )
  func lengths() {
    let rule = RetryRule(delay: 1_000, growth: 2, maximum: 20_000)
    var distinct: Set<Int64> = []
    for index in 0..<100 {
      let id = OperationID(index: index, generation: 0)
      for attempt in 1...10 {
        let whole = min(1_000 << (attempt - 1), 20_000)
        let delay = rule.delay(after: attempt, of: id)
        #expect((Int64(whole)...Int64(min(whole * 3 / 2, 20_000))).contains(delay))
        #expect(rule.delay(after: attempt, of: id) == delay)
        distinct.insert(delay)
      }
    }
    #expect(distinct.count > 400)
  }

  @Test("no numbers are too large or too strange for a delay")
  func extremes() {
    let id = OperationID(index: 7, generation: 7)
    let endless = RetryRule(delay: .max, growth: .infinity, maximum: .max)
    #expect(endless.delay(after: .max, of: id) > 1 << 61)
    let strange = RetryRule(delay: 100, growth: .nan, maximum: 50)
    #expect((25...50).contains(strange.delay(after: 3, of: id)))
    let shrinking = RetryRule(delay: 100, growth: 0.5)
    #expect((50...100).contains(shrinking.delay(after: 9, of: id)))
  }

  @Test("an attempt is repeated for the causes that were chosen, and for no others")
  func causes() {
    for cause in [RetryReason.exit, RetryReason(.signal), .error, .spawn] {
      let scenario = Scenario()
      scenario.staff(1)
      var spec = OperationSpec(kind: scenario.kinds[0], retries: 9)
      spec.retryRule = RetryRule(delay: 0, because: [.exit, .spawn])
      scenario.name(scenario.machine.create(spec), "a")
      scenario.enqueue("a", expecting: ["dispatch a to 1 as attempt 1"])
      scenario.start("a", "a executes on 1 as attempt 1")
      let isRepeated = cause == .exit || cause == .spawn
      let ended = "a failed by answer in attempt 1 on 1"
      let expected =
        isRepeated ? ["retry \(ended)", "dispatch a to 1 as attempt 2"] : ["settle \(ended)"]
      let reception = scenario.expect(expected, #_sourceLocation) { machine, now in
        machine.workerReported(
          .answered(.failed, cause, .none),
          scenario.reference("a"),
          by: WorkerID(rawValue: 1),
          at: now
        )
      }
      #expect(reception == .accepted)
    }
  }

  @Test(
    "an answer whose outputs died with the worker is a loss, repeated as the worker's death is",
    arguments: [[PoolRetryCause.workerDied], [.error, .exit]] as [Set<PoolRetryCause>]
  )
  func lostAnswer(causes: Set<PoolRetryCause>) {
    let scenario = Scenario()
    scenario.staff(1)
    var spec = OperationSpec(kind: scenario.kinds[0], retries: 9)
    spec.retryRule = RetryRule(delay: 0, because: causes)
    scenario.name(scenario.machine.create(spec), "a")
    scenario.enqueue("a", expecting: ["dispatch a to 1 as attempt 1"])
    scenario.start("a", "a executes on 1 as attempt 1")
    let ended = "a lost by workerDied in attempt 1 on 1"
    let isRepeated = causes == [.workerDied]
    let expected =
      isRepeated ? ["retry \(ended)", "dispatch a to 1 as attempt 2"] : ["settle \(ended)"]
    let reception = scenario.expect(expected, #_sourceLocation) { machine, now in
      machine.workerReported(
        .answered(.lost, .error, .none),
        scenario.reference("a"),
        by: WorkerID(rawValue: 1),
        at: now
      )
    }
    #expect(reception == .accepted)
  }

  @Test("deaths, violations and timeouts are causes too")
  func otherCauses() {
    let rule = RetryRule(delay: 0, on: [.lost, .timedOut], because: [.violation, .timeout])
    let (violation, timeout) = (RetryReason(.violation), RetryReason(.timeout))
    #expect(rule.allows(.lost, violation) && rule.allows(.timedOut, timeout))
    #expect(!rule.allows(.lost, RetryReason(.workerDied)) && !rule.allows(.failed, timeout))
    #expect(EndingCause.quarantined.forRetry(.error) == nil)
    #expect(EndingCause.answer.forRetry(.spawn) == .spawn)
  }

  @Test("of exits, those with the chosen codes are repeated; other causes have no code")
  func exitCodes() {
    let rule = RetryRule(delay: 0, because: [.exit, .signal], exitCodes: [7, 75])
    #expect(rule.allows(.failed, RetryReason(.exit, exitCode: 75)))
    #expect(!rule.allows(.failed, RetryReason(.exit, exitCode: 1)))
    #expect(rule.allows(.failed, RetryReason(.signal)) && !rule.allows(.failed, .error))
    #expect(RetryRule(delay: 0).allows(.failed, RetryReason(.exit, exitCode: 1)))
  }

  @Test("an operation without a rule of its own is retried by the pool's, which backs off")
  func common() {
    var policy = PoolPolicy()
    policy.retryRule = .standard
    let scenario = Scenario(policy: policy)
    scenario.staff(1)
    let spec = OperationSpec(kind: scenario.kinds[0], retries: 2)
    scenario.name(scenario.machine.create(spec), "a")
    scenario.enqueue("a", expecting: ["dispatch a to 1 as attempt 1"])
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.answer("a", .failed, "retry a failed by answer in attempt 1 on 1")
    #expect((Int64.milliseconds(100)...Int64.milliseconds(150)).contains(scenario.timeLeft))
    scenario.pass(scenario.timeLeft, "dispatch a to 1 as attempt 2")
  }

  @Test("the standard delays double from 100 ms to 30 s, and differ between operations")
  func standardDelays() {
    let id = OperationID(rawValue: 5)
    let delays = (1...12).map { RetryRule.standard.delay(after: $0, of: id) }
    for (place, delay) in delays.enumerated() {
      let least = min(Int64.milliseconds(100) << Int64(place), .seconds(30))
      #expect((least...min(least + least / 2, .seconds(30))).contains(delay), "\(place)")
    }
    #expect(delays.last == .seconds(30))
    #expect(delays == (1...12).map { RetryRule.standard.delay(after: $0, of: id) })
    let others = (0..<100).map { RetryRule.standard.delay(after: 1, of: OperationID(rawValue: $0)) }
    #expect(Set(others).count == 100)
  }
}

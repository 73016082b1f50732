import PoolModel
import Testing

@testable import PoolCore

/// How what executes is made to end: by the teardown sequence's steps, each in its time.
@Suite("Teardown sequences")
struct TeardownScenarios {
  private func executing(
    _ plan: Scenario.Plan = .init("a", timeout: .seconds(1)),
    as capabilities: Set<Capability> = .full,
    group: Int32? = nil,
    policy: PoolPolicy = PoolPolicy()
  ) -> Scenario {
    let scenario = Scenario(policy: policy)
    scenario.submit([plan], "spawn 1 of 0")
    scenario.greet(1, as: capabilities, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.start("a", group: group, "a executes on 1 as attempt 1")
    return scenario
  }

  @Test("a typed operation is asked, its worker is signalled, then killed")
  func typed() {
    let scenario = executing()
    scenario.pass(.milliseconds(999))
    scenario.pass(.milliseconds(1), "ask 1 to stop a")
    scenario.pass(.milliseconds(1_999))
    scenario.pass(.milliseconds(1), "signal 1 with 15")
    scenario.pass(.milliseconds(1_000), "signal 1 with 9")
    #expect(scenario.machine.nextDeadline == nil)
    scenario.exit(1, "settle a timedOut by timeout in attempt 1 on 1")
  }

  private func endings(_ scenario: Scenario) -> [String] {
    scenario.machine.supervisor.endings(at: scenario.now).map { ending in
      let time = scenario.now.nanoseconds - ending.start.nanoseconds
      let step = ending.step.map { "\($0)" } ?? "nothing"
      return "\(scenario.name(ending.operation)) \(ending.ending) \(time / 1_000_000) \(step)"
    }
  }

  @Test("what is being ended is known, since when, as what, and by which step")
  func known() {
    let scenario = executing()
    #expect(endings(scenario) == [])
    scenario.pass(.milliseconds(1_000), "ask 1 to stop a")
    #expect(endings(scenario) == ["a timedOut 0 message"])
    scenario.pass(.milliseconds(1_999))
    #expect(endings(scenario) == ["a timedOut 1999 message"])
    scenario.pass(.milliseconds(1), "signal 1 with 15")
    #expect(endings(scenario) == ["a timedOut 2000 signal(15)"])
    scenario.pass(.milliseconds(1_000), "signal 1 with 9")
    scenario.pass(.milliseconds(9_000))
    #expect(endings(scenario) == ["a timedOut 12000 signal(9)"])
    scenario.exit(1, "settle a timedOut by timeout in attempt 1 on 1")
    #expect(endings(scenario) == [])
    let command = executing(group: 77)
    command.cancel("a", "ask 1 to stop a")
    command.pass(.milliseconds(2_500))
    #expect(endings(command) == ["a cancelled 2500 signal(15)"], "its worker takes the steps")
  }

  @Test("a crash that is being printed has its own time limit in place of the timeout, once")
  func crash() {
    let scenario = executing()
    scenario.pass(.milliseconds(900))
    scenario.crash(1)
    scenario.pass(.milliseconds(29_999))
    scenario.exit(1, "blame a for 1", "settle a lost by workerDied in attempt 1 on 1")
    let late = executing()
    late.pass(.milliseconds(900))
    late.crash(1)
    late.pass(.milliseconds(29_999))
    late.pass(.milliseconds(1), "ask 1 to stop a")
  }

  @Test("a worker that cannot be asked is signalled at once")
  func minimal() {
    let scenario = executing(as: .minimal)
    scenario.cancel("a", "signal 1 with 15")
    scenario.pass(.milliseconds(1_000), "signal 1 with 9")
    scenario.exit(1, "settle a cancelled by request in attempt 1 on 1")
  }

  @Test("a worker takes the steps for its command, and is killed if it does not come to an end")
  func command() {
    let scenario = executing(group: 77)
    scenario.cancel("a", "ask 1 to stop a")
    scenario.pass(.milliseconds(3_000))
    scenario.pass(.milliseconds(1_999))
    scenario.pass(.milliseconds(1), "signal 1 with 9")
    scenario.exit(1, "settle a cancelled by request in attempt 1 on 1")
  }

  @Test(
    "a group that is reported while the teardown is under way passes the teardown sequence to the worker"
  )
  func lateGroup() {
    let scenario = executing()
    scenario.cancel("a", "ask 1 to stop a")
    scenario.start("a", group: 77)
    scenario.pass(.milliseconds(2_000))
    scenario.pass(.milliseconds(3_000), "signal 1 with 9")
  }

  /// The command would not get the teardown sequence's first signal, but die with its worker.
  @Test("a worker that has just begun is not signalled before it could tell its command's group")
  func groupToCome() {
    var policy = PoolPolicy()
    policy.teardown.steps.removeFirst()
    let command = executing(policy: policy)
    command.cancel("a", "ask 1 to stop a")
    command.start("a", group: 77)
    command.pass(.milliseconds(20))
    command.pass(.milliseconds(2_999))
    command.pass(.milliseconds(1), "signal 1 with 9")
    let typed = executing(policy: policy)
    typed.pass(.milliseconds(5))
    typed.cancel("a", "ask 1 to stop a")
    typed.pass(.milliseconds(14))
    typed.pass(.milliseconds(1), "signal 1 with 15")
    typed.pass(.milliseconds(1_000), "signal 1 with 9")
    let old = executing(policy: policy)
    old.pass(.milliseconds(20))
    old.cancel("a", "ask 1 to stop a", "signal 1 with 15")
  }

  /// Signalled instead, it would die with its command before that had the teardown sequence's first
  /// signal.
  @Test("a worker that takes the steps itself is left to it, whether or not it has told a group")
  func ownSteps() {
    var policy = PoolPolicy()
    policy.teardown.steps.removeFirst()
    var capabilities = Set<Capability>.full
    capabilities.insert(.teardown)
    let slow = executing(as: capabilities, policy: policy)
    slow.cancel("a", "ask 1 to stop a")
    slow.pass(.milliseconds(2_999))
    slow.pass(.milliseconds(1), "signal 1 with 9")
    policy.teardown = .immediate
    let immediate = executing(as: capabilities, policy: policy)
    immediate.cancel("a", "ask 1 to stop a")
    immediate.pass(.milliseconds(1_999))
    immediate.answer("a", .cancelled, "settle a cancelled by request in attempt 1 on 1")
  }

  @Test("a grace without an end is no overflow")
  func endlessGrace() {
    var policy = PoolPolicy()
    policy.teardown.steps = [1, 2].map { _ in .init(.message, grace: .seconds(Int64.max)) }
    var capabilities = Set<Capability>.full
    capabilities.insert(.teardown)
    let scenario = executing(as: capabilities, policy: policy)
    scenario.cancel("a", "ask 1 to stop a")
    scenario.pass(.seconds(1_000_000))
  }

  /// The worker lives to say what its command has written.
  @Test("what is to be killed at once is killed by a worker that takes the steps itself")
  func killed() {
    var capabilities = Set<Capability>.full
    capabilities.insert(.teardown)
    let scenario = executing(as: capabilities)
    scenario.cancel("a", "ask 1 to stop a")
    scenario.killOperations("ask 1 to stop a")
    #expect(scenario.machine.supervisor.sequence(for: scenario.id("a")) == .immediate)
    scenario.pass(.milliseconds(499))
    scenario.pass(.milliseconds(1), "signal 1 with 9")
    scenario.exit(1, "settle a cancelled by request in attempt 1 on 1")
    let quick = executing(as: capabilities)
    quick.cancel("a", "ask 1 to stop a")
    quick.killOperations("ask 1 to stop a")
    quick.answer("a", .cancelled, "settle a cancelled by request in attempt 1 on 1")
    quick.pass(.seconds(1))
  }

  @Test(
    "what is to be killed at once is killed with a worker that cannot do so, or that is not ending it"
  )
  func killedWithWorker() {
    let walker = executing(group: 77)
    walker.cancel("a", "ask 1 to stop a")
    walker.killOperations("signal 1 with 9")
    var capabilities = Set<Capability>.full
    capabilities.insert(.teardown)
    executing(as: capabilities).killOperations("signal 1 with 9")
  }

  @Test("an answer stops the teardown sequence")
  func answered() {
    let scenario = executing()
    scenario.cancel("a", "ask 1 to stop a")
    scenario.answer("a", .succeeded, "settle a succeeded by answer in attempt 1 on 1")
    scenario.pass(.seconds(60))
    #expect(scenario.machine.nextDeadline == nil)
  }

  @Test("an answer after the timeout is one that came too late")
  func late() {
    let scenario = executing(.init("a", timeout: .seconds(1), retries: 1))
    scenario.pass(.seconds(1), "ask 1 to stop a")
    scenario.answer(
      "a",
      .succeeded,
      "retry a timedOut by timeout in attempt 1 on 1",
      "dispatch a to 1 as attempt 2"
    )
    scenario.start("a", "a executes on 1 as attempt 2")
    scenario.pass(.milliseconds(999))
    scenario.pass(.milliseconds(1), "ask 1 to stop a")
    scenario.answer("a", .cancelled, "settle a timedOut by timeout in attempt 2 on 1")
  }

  @Test("a worker that answers after SIGTERM, but does not end, is killed and replaced")
  func survivor() {
    let scenario = executing()
    scenario.cancel("a", "ask 1 to stop a")
    scenario.pass(.seconds(2), "signal 1 with 15")
    scenario.answer("a", .cancelled, "settle a cancelled by request in attempt 1 on 1")
    scenario.submit([.init("b")])
    scenario.pass(.milliseconds(1_999))
    scenario.pass(.milliseconds(1), "signal 1 with 9 for end")
    scenario.exit(1, "spawn 2 of 0")
  }

  @Test(
    "a worker that dies on the teardown sequence's way ends its operation as the teardown sequence meant to"
  )
  func deathOnTheWay() {
    let scenario = executing(.init("a", timeout: .seconds(1), retries: 1))
    scenario.pass(.seconds(1), "ask 1 to stop a")
    scenario.exit(1, "retry a timedOut by timeout in attempt 1 on 1", "spawn 2 of 0")
    // The place is used again; nothing of the teardown sequence is left in it.
    scenario.pass(.seconds(3))
    scenario.greet(2, as: .full, "dispatch a to 2 as attempt 2")
    scenario.pass(.milliseconds(29_999))
  }

  @Test("a timeout that comes after a cancellation changes nothing")
  func cancelledThenLate() {
    let scenario = executing()
    scenario.pass(.milliseconds(500))
    scenario.cancel("a", "ask 1 to stop a")
    scenario.pass(.milliseconds(500))
    scenario.answer("a", .cancelled, "settle a cancelled by request in attempt 1 on 1")
  }

  @Test("a cancellation that comes after the timeout keeps the operation from being retried")
  func lateThenCancelled() {
    let scenario = executing(.init("a", timeout: .seconds(1), retries: 1))
    scenario.pass(.seconds(1), "ask 1 to stop a")
    scenario.cancel("a")
    scenario.answer("a", .cancelled, "settle a timedOut by timeout in attempt 1 on 1")
  }

  @Test("what was dispatched and not begun is cancelled by the teardown sequence as well")
  func unstarted() {
    let scenario = Scenario()
    scenario.submit([.init("a")], "spawn 1 of 0")
    scenario.greet(1, as: .full, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.cancel("a", "ask 1 to stop a")
    scenario.pass(.seconds(2), "signal 1 with 15")
    scenario.exit(1, "settle a cancelled by request")
  }

  @Test("the immediate teardown sequence kills at once")
  func immediate() {
    var policy = PoolPolicy()
    policy.teardown = .immediate
    let scenario = executing(as: .minimal, policy: policy)
    scenario.cancel("a", "signal 1 with 9")
    #expect(scenario.machine.graph.executingCount == 1)
  }

  @Test("an operation's own teardown sequence applies to it alone")
  func own() {
    let scenario = Scenario()
    var spec = OperationSpec(kind: scenario.kinds[0])
    spec.teardown = PoolTeardownSequence(steps: [
      .init(.signal(2), graceMilliseconds: 10), .init(.signal(9), graceMilliseconds: 0),
    ])
    scenario.name(scenario.machine.create(spec), "a")
    scenario.enqueue("a", expecting: ["spawn 1 of 0"])
    scenario.greet(1, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.cancel("a", "signal 1 with 2")
    scenario.pass(.milliseconds(10), "signal 1 with 9")
    scenario.exit(1, "settle a cancelled by request in attempt 1 on 1")
    #expect(scenario.stepsTaken == ["a: signal(2) at 0.0", "a: signal(9) at 0.01"])
    scenario.release("a")
    #expect(scenario.machine.supervisor.teardowns.isEmpty)
    // The place is used again; the teardown sequence is the pool's default.
    scenario.submit([.init("b")], "spawn 2 of 0")
    scenario.greet(2, "dispatch b to 2 as attempt 1")
    scenario.start("b", "b executes on 2 as attempt 1")
    scenario.cancel("b", "signal 2 with 15")
  }

  @Test(
    "the worker that walks a teardown sequence itself is given the operation's own, and its time"
  )
  func ownOfCommand() {
    let scenario = Scenario()
    let teardown = PoolTeardownSequence(steps: [.init(.signal(1), graceMilliseconds: 500)])
    var spec = OperationSpec(kind: scenario.kinds[0])
    spec.teardown = teardown
    scenario.name(scenario.machine.create(spec), "a")
    scenario.enqueue("a", expecting: ["spawn 1 of 0"])
    scenario.greet(1, as: .full, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.start("a", group: 77, "a executes on 1 as attempt 1")
    scenario.machine.change(.cancel(scenario.id("a")), at: scenario.now)
    let id = TeardownID(rawValue: UInt32(scenario.machine.context.teardowns.count - 1))
    let asked = Effect.requestCancel(WorkerID(rawValue: 1), scenario.reference("a"), id)
    #expect(scenario.machine.context.effects.contains(asked))
    #expect(scenario.machine.context.teardowns.last == teardown)
    scenario.pass(.milliseconds(2_499), "ask 1 to stop a")
    scenario.pass(.milliseconds(1), "signal 1 with 9")
  }

  @Test("an unrequested 'cancelled' breaks the protocol, and the operation is lost")
  func unasked() {
    let scenario = executing()
    let reception = scenario.expect([], #_sourceLocation) { machine, now in
      machine.workerReported(
        .answered(.cancelled, .error, .none),
        scenario.reference("a"),
        by: WorkerID(rawValue: 1),
        at: now
      )
    }
    #expect(reception == .violation("a 'cancelled' without a request"))
    scenario.violate(1, "signal 1 with 9")
    scenario.exit(1, "blame a for 1", "settle a lost by violation in attempt 1 on 1")
  }

  @Test("steps without grace are taken together, and a teardown sequence without steps kills")
  func odd() {
    var policy = PoolPolicy()
    policy.teardown.steps = [
      .init(.signal(2), graceMilliseconds: 0), .init(.signal(15), graceMilliseconds: 0),
    ]
    let scenario = executing(as: .minimal, policy: policy)
    scenario.cancel("a", "signal 1 with 2")
    scenario.pass(0, "signal 1 with 15")
    policy.teardown.steps = []
    executing(policy: policy).cancel("a", "signal 1 with 9")
  }

  @Test("a settlement says when the operation was queued, started and finished")
  func times() {
    let scenario = Scenario()
    scenario.now = Instant(nanoseconds: 10)
    scenario.submit([.init("a")], "spawn 1 of 0")
    scenario.now = Instant(nanoseconds: 20)
    scenario.greet(1, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.now = Instant(nanoseconds: 30)
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.now = Instant(nanoseconds: 40)
    scenario.answer("a", .succeeded, "settle a succeeded by answer in attempt 1 on 1")
    let settlement = scenario.settlements["a"]
    #expect(settlement?.queued == Instant(nanoseconds: 10))
    #expect(settlement?.started == Instant(nanoseconds: 30))
    #expect(settlement?.finished == Instant(nanoseconds: 40))
  }
}

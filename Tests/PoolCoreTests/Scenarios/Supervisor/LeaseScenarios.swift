import PoolModel
import Testing

@testable import PoolCore

/// A worker that may be on another machine ends when its lease is over: until then, what it had
/// when its link broke may go on there.
@Suite("Leases")
struct LeaseScenarios {
  /// 20 s, so that a worker has certainly ended 25 s after it was last heard of.
  private static let terms = LeaseTerms(length: .seconds(20))
  private static let leased: Set<Capability> = [.prefetch, .recall, .cancel, .ping, .lease]

  /// A scenario whose one worker executes `a` and holds `b` and `c`.
  private func holding(
    _ b: Scenario.Plan = .init("b"),
    retries: Int = 0,
    as capabilities: Set<Capability> = leased
  ) -> Scenario {
    var spec = ConfigurationSpec(count: 1)
    spec.isFar = true
    spec.lease = Self.terms
    let scenario = Scenario(configurations: [spec])
    scenario.submit([.init("x")], "spawn 1 of 0")
    scenario.greet(1, as: capabilities, "announce 0", "dispatch x to 1 as attempt 1")
    scenario.start("x", "x executes on 1 as attempt 1")
    scenario.expectShort()
    scenario.answer("x", .succeeded, "settle x succeeded by answer in attempt 1 on 1")
    scenario.submit(
      [.init("a", retries: retries), b, .init("c")],
      "dispatch a to 1 as attempt 1",
      "dispatch b to 1 as attempt 1",
      "dispatch c to 1 as attempt 1"
    )
    scenario.start("a", "a executes on 1 as attempt 1")
    return scenario
  }

  private func census(_ scenario: Scenario) -> WorkerCensus {
    scenario.machine.supervisor.census(of: scenario.fleet)[0]
  }

  private func timeInDoubt(_ scenario: Scenario) -> Int64? {
    scenario.machine.supervisor.timeInDoubt(of: WorkerID(rawValue: 1), at: scenario.now)
  }

  @Test("1.2 times the length and a second, by another clock, is past the end")
  func doubt() {
    #expect(Self.terms.doubt == .seconds(25))
    #expect(LeaseTerms(length: 1).length == .seconds(5))
    #expect(LeaseTerms(length: .max).doubt == .max)
    #expect(LeaseTerms.usual.interval == .seconds(10))
    #expect(LeaseTerms(length: .seconds(5)).interval == .milliseconds(500))
  }

  @Test(
    "nothing is told of what it has before it has certainly ended, and no other takes its place"
  )
  func patience() {
    let scenario = holding(retries: 1)
    scenario.pass(.seconds(3), "recall b from 1", "recall c from 1")
    scenario.renew(1)
    scenario.pass(.seconds(2))
    // What was never sent goes back for free.
    #expect(scenario.cut(1, sentUpTo: "b") == 1)
    #expect(timeInDoubt(scenario) == .seconds(23))
    #expect(census(scenario).inDoubt == 1 && census(scenario).ending == 0)
    #expect(census(scenario).restartAt == scenario.now.advanced(by: .seconds(23)))
    scenario.pass(.seconds(23) - 1)
    scenario.pass(1, "lapse 1")
    scenario.pass(.seconds(100))
    scenario.exit(
      1,
      "blame a for 1",
      "retry a lost by workerDied in attempt 1 on 1",
      "b executes on 1 as attempt 1",
      "settle b lost by mayHaveBegun in attempt 1 on 1",
      "spawn 2 of 0"
    )
    #expect(census(scenario).inDoubt == 0)
    scenario.greet(2, as: Self.leased, "dispatch a to 2 as attempt 2")
  }

  @Test("what was cancelled is not waited for, and the rest is")
  func cancelled() {
    let scenario = holding()
    scenario.cancel("b", "ask 1 to stop b")
    #expect(scenario.cut(1, sentUpTo: "c", "settle b cancelled by request") == 1)
    scenario.cancel("a", "settle a cancelled by request in attempt 1")
    #expect(timeInDoubt(scenario) != nil)
    scenario.cancel("c", "settle c cancelled by request", "lapse 1")
    scenario.exit(1)
    #expect(timeInDoubt(scenario) == nil)
  }

  @Test("an idle worker, and one of which nothing was sent, is in no doubt")
  func idle() {
    let scenario = holding()
    for name in ["a", "b", "c"] {
      if name != "a" { scenario.start(name, "\(name) executes on 1 as attempt 1") }
      scenario.answer(name, .succeeded, "settle \(name) succeeded by answer in attempt 1 on 1")
    }
    #expect(scenario.cut(1, sentUpTo: "c") == 0)
    scenario.submit([.init("d")], "spawn 2 of 0")
    scenario.greet(2, as: Self.leased, "dispatch d to 2 as attempt 1")
    #expect(scenario.cut(2, sentUpTo: "c", "blame d for 2", "go on with 0") == 0)
  }

  @Test("a worker without a lease, and one of this machine, is told as lost at once")
  func without() {
    for capabilities in [Self.leased.subtracting([.lease]), Self.leased] {
      let scenario = holding(as: capabilities)
      if capabilities.contains(.lease) {
        scenario.expect([], #_sourceLocation) {
          $0.supervise(.proved(WorkerID(rawValue: 1)), at: $1)
        }
      }
      let count = scenario.cut(
        1,
        sentUpTo: "a",
        "blame a for 1",
        "settle a lost by workerDied in attempt 1 on 1",
        "spawn 2 of 0"
      )
      #expect(count == 0)
    }
  }

  @Test("silence ends no worker before the end of its lease, and then certainly does")
  func silence() {
    let scenario = holding()
    scenario.pass(.seconds(10), "recall b from 1", "recall c from 1", "ping 1")
    scenario.pass(.seconds(15) - 1)
    scenario.pass(1, "signal 1 with 9 for silence")
    let count = scenario.cut(
      1,
      sentUpTo: "a",
      "blame a for 1",
      "settle a lost by workerDied in attempt 1 on 1",
      "spawn 2 of 0"
    )
    #expect(count == 0)
  }

  private func stop(_ scenario: Scenario, _ isOn: Bool, _ expected: String...) {
    scenario.expect(expected, #_sourceLocation) {
      $0.supervise(isOn ? .stopAll(20) : .continueAll(18), at: $1)
    }
  }

  /// The loop is about to stop this process.
  private func begin(stop scenario: Scenario) {
    let mustStop = scenario.machine.supervisor.beginStop()
    #expect(mustStop)
  }

  private func hasContinued(_ scenario: Scenario) {
    scenario.expect([], #_sourceLocation) {
      $0.supervise(.continued(WorkerID(rawValue: 1)), at: $1)
    }
  }

  @Test("a stopped worker is asked to stop, and lives for a day, until it has said that it goes on")
  func stopped() {
    let scenario = holding(as: Self.leased.union([.stop]))
    stop(scenario, true, "ask 1 to stop", "stop")
    begin(stop: scenario)
    stop(scenario, false, "ask 1 to go on")
    // This request may have been made before the worker was stopped.
    scenario.renew(1)
    #expect(scenario.cut(1, sentUpTo: "a") == 0)
    #expect(timeInDoubt(scenario) == LeaseTerms.stopped.doubt)
  }

  @Test("once it goes on, its lease is the usual one")
  func continued() {
    let scenario = holding(as: Self.leased.union([.stop]))
    stop(scenario, true, "ask 1 to stop", "stop")
    begin(stop: scenario)
    stop(scenario, false, "ask 1 to go on")
    hasContinued(scenario)
    #expect(scenario.cut(1, sentUpTo: "a") == 0)
    #expect(timeInDoubt(scenario) == Self.terms.doubt)
  }

  @Test("the time for which this process was stopped counts")
  func stoppedTime() {
    let scenario = holding(as: Self.leased.union([.stop]))
    stop(scenario, true, "ask 1 to stop", "stop")
    begin(stop: scenario)
    scenario.machine.supervisor.pass(stopped: .seconds(3_600))
    stop(scenario, false, "ask 1 to go on")
    #expect(scenario.cut(1, sentUpTo: "a") == 0)
    #expect(timeInDoubt(scenario) == LeaseTerms.stopped.doubt - .seconds(3_600))
    scenario.machine.supervisor.pass(stopped: .seconds(3_600))
    #expect(timeInDoubt(scenario) == LeaseTerms.stopped.doubt - .seconds(7_200))
  }

  @Test("an answer to an earlier question whether it goes on does not undo a later stop")
  func staleContinuation() {
    let scenario = holding(as: Self.leased.union([.stop]))
    stop(scenario, true, "ask 1 to stop", "stop")
    hasContinued(scenario)
    begin(stop: scenario)
    stop(scenario, false, "ask 1 to go on")
  }

  @Test("an exit for want of something proves nothing of what is elsewhere")
  func shortage() {
    let scenario = holding()
    let last = scenario.reference("a").dispatch
    scenario.expect([], #_sourceLocation) {
      $0.workerExited(
        WorkerID(rawValue: 1),
        shortOf: .ofSystem,
        inDoubtUpTo: last,
        detail: .none,
        at: $1
      )
    }
    #expect(timeInDoubt(scenario) == Self.terms.doubt)
  }

  @Test("of one that cannot be asked, what reaches it is stopped")
  func unstoppable() {
    let scenario = holding()
    scenario.expect([], #_sourceLocation) { $0.supervise(.stopAll(20), at: $1) }
    scenario.pass(scenario.timeLeft, "recall b from 1", "recall c from 1")
    scenario.pass(.seconds(1), "pass 20 to 1", "stop")
  }

  /// An operation that an earlier run has sent elsewhere twice, and that may be there for 25 s.
  private func resumed(retries: Int) -> Scenario.Plan {
    var plan = Scenario.Plan("a", retries: retries)
    plan.earlier = EarlierAttempts(count: 2, end: Instant(nanoseconds: Self.terms.doubt))
    return plan
  }

  @Test("what an earlier run has sent elsewhere begins when that has certainly ended, and counts")
  func resumption() {
    let scenario = Scenario()
    scenario.submit([resumed(retries: 3), .init("b", after: ["a"])])
    scenario.pass(.seconds(25) - 1)
    scenario.pass(1, "spawn 1 of 0")
    scenario.greet(1, "announce 0", "dispatch a to 1 as attempt 3")
    scenario.start("a", "a executes on 1 as attempt 3")
    scenario.answer(
      "a",
      .failed,
      "retry a failed by answer in attempt 3 on 1",
      "dispatch a to 1 as attempt 4"
    )
    scenario.start("a", "a executes on 1 as attempt 4")
    scenario.answer(
      "a",
      .failed,
      "settle a failed by answer in attempt 4 on 1",
      "settle b skipped by dependency of a"
    )
  }

  @Test("one that is cancelled meanwhile has never begun in this run")
  func cancelledResumption() {
    let scenario = Scenario()
    scenario.submit([resumed(retries: 0)])
    scenario.cancel("a", "settle a cancelled by request in attempt 2")
    let settlement = scenario.settlements["a"]
    #expect(settlement?.started == nil && settlement?.queued == nil)
    scenario.pass(.seconds(30))
  }

  @Test("whoever kills all workers waits for none that is out of reach")
  func killed() {
    let scenario = holding()
    #expect(scenario.cut(1, sentUpTo: "a") == 0)
    scenario.expect(["lapse 1"], #_sourceLocation) { $0.supervise(.killWorkers, at: $1) }
    scenario.expect([], #_sourceLocation) { $0.supervise(.killOperations, at: $1) }
  }
}

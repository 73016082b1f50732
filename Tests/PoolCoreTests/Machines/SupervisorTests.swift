import PoolModel
import Testing

@testable import PoolCore

/// The supervisor alone: what workers are needed for, and what they are at, are values.
@Suite("The supervisor alone")
struct SupervisorTests {
  /// A supervisor with one fleet and one configuration.
  private struct Bench: ~Copyable {
    var supervisor: Supervisor
    var context = EventContext()
    let fleet: FleetID
    let configuration: ConfigurationID

    init(workers: Int = 1, policy: PoolPolicy = PoolPolicy()) {
      supervisor = Supervisor(policy: policy)
      fleet = supervisor.addFleet()
      configuration = supervisor.addConfiguration(ConfigurationSpec(count: workers), to: fleet)
    }

    /// One more worker is needed, however many there are.
    private static var demand: WorkerDemand {
      var demand = WorkerDemand.Counts()
      (demand.ready, demand.width) = (1 << 20, .max)
      return .ofKnownKinds(demand)
    }

    /// Has a worker come to an operation, and execute it.
    mutating func execute(on worker: WorkerHandle, timeout: Int64 = .max) {
      let reference = DispatchReference(
        operation: OperationID(rawValue: 7),
        dispatch: DispatchNumber(rawValue: 1)
      )
      let assignment = Assignment(reference: reference, expected: 0, timeout: timeout)
      supervisor.setHead(worker, to: (assignment, patience: nil), &context)
      supervisor.execute(worker, at: context.now)
    }

    /// Whether the dispatcher is told that a worker gets nothing more.
    mutating func isClosed(_ worker: WorkerHandle) -> Bool {
      var isClosed = false
      while let consequence = supervisor.nextConsequence() {
        isClosed = isClosed || consequence == .closed(worker)
      }
      return isClosed
    }

    mutating func start() -> WorkerHandle {
      supervisor.start(configuration, for: Self.demand, &context)?.worker ?? WorkerHandle(-1)
    }

    mutating func serve() -> WorkerHandle {
      let worker = start()
      let capabilities = Set<Capability>([.prefetch, .recall, .ping])
      _ = supervisor.greet(worker, capabilities, &context)
      context.effects.removeAll()
      return worker
    }

    mutating func remove(_ worker: WorkerHandle) -> WorkerExit {
      supervisor.remove(worker, nil, isCancelled: false, .none)
    }

    func problems() -> [String] {
      var demand = InvariantCheck()
      supervisor.demandSound(&demand)
      return demand.broken
    }
  }

  @Test("workers are started while more is ready than workers start or are idle, up to the count")
  func starting() {
    var bench = Bench(workers: 2)
    var demand = WorkerDemand.Counts()
    demand.width = .max
    let unneeded = bench.supervisor.start(
      bench.configuration,
      for: .ofKnownKinds(demand),
      &bench.context
    )
    #expect(unneeded == nil)
    demand.ready = 2
    var started = 0
    while bench.supervisor.mayGrow(bench.configuration),
      bench.supervisor.start(bench.configuration, for: .ofKnownKinds(demand), &bench.context) != nil
    {
      started += 1
    }
    #expect(started == 2)
    #expect(bench.supervisor.liveWorkerCount == 2)
    #expect(bench.problems() == [])
  }

  @Test("deaths without work are followed by waits, and in the end by giving up")
  func restarts() {
    var policy = PoolPolicy()
    policy.restartLimit = 3
    policy.firstStartLimit = 10
    var bench = Bench(policy: policy)
    var waits: [Int64] = []
    while bench.supervisor.mayGrow(bench.configuration), waits.count < 10 {
      let worker = bench.start()
      guard worker != WorkerHandle(-1) else {
        let due = bench.supervisor.restarts.next ?? .zero
        waits.append(due.nanoseconds - bench.context.now.nanoseconds)
        bench.context.now = due
        continue
      }
      while bench.supervisor.restarts.popDue(at: bench.context.now) != nil {}
      let exit = bench.remove(worker)
      _ = bench.supervisor.countExit(exit, &bench.context)
    }
    #expect(waits.count == 2)
    #expect(waits.allSatisfy { $0 > 0 })
    let last = bench.context.effects.last
    #expect(last == .giveUp(bench.configuration, serving: 0))
    let isBroken = bench.supervisor.isBroken(bench.configuration)
    #expect(isBroken)
  }

  @Test(
    "a teardown signals by its steps, then kills; the worker gets nothing more from the first on"
  )
  func teardown() {
    var bench = Bench()
    let worker = bench.serve()
    bench.execute(on: worker)
    bench.supervisor.beginTeardown(worker, as: .timedOut, &bench.context)
    let isClosed = bench.isClosed(worker)
    #expect(isClosed)
    var looks = 0
    while let due = bench.supervisor.deadline(of: worker), due != .distantFuture, looks < 9 {
      bench.context.now = due
      _ = bench.supervisor.check(worker, &bench.context)
      looks += 1
    }
    let signals = bench.context.effects.compactMap { effect in
      if case .signal(_, let signal, _) = effect { return signal }
      return nil
    }
    #expect(signals.first == 15)
    #expect(signals.last == 9)
    let end = bench.supervisor.end(of: worker, .succeeded, .error, .none, isFirst: true)
    #expect(end.ending == .timedOut)
    bench.supervisor.endHead(worker, nil, &bench.context)
    #expect(bench.supervisor.workers[worker].teardown == nil)
  }

  @Test(
    "a worker that executes in silence is asked whether it is there, and killed if it says nothing"
  )
  func heartbeat() {
    var bench = Bench()
    let worker = bench.serve()
    bench.execute(on: worker)
    for expected in ["ping", "signal"] {
      bench.context.effects.removeAll()
      bench.context.now = bench.supervisor.deadline(of: worker) ?? .zero
      guard case .long = bench.supervisor.check(worker, &bench.context) else {
        Issue.record("it executes")
        return
      }
      #expect(bench.context.effects.count == 1)
      #expect(bench.context.effects.allSatisfy { "\($0)".contains(expected) })
    }
    let isClosed = bench.isClosed(worker)
    #expect(isClosed)
  }

  @Test(
    "what takes longer than its limit is found out, and time in which it was not read is not held against it"
  )
  func timeouts() {
    var bench = Bench()
    let worker = bench.serve()
    bench.execute(on: worker, timeout: 1_000)
    bench.supervisor.pauseReading(worker, at: .zero)
    bench.context.now = Instant(nanoseconds: 5_000)
    guard case .nothing = bench.supervisor.check(worker, &bench.context) else {
      Issue.record("it is not read")
      return
    }
    bench.supervisor.resumeReading(worker, at: bench.context.now)
    #expect(bench.supervisor.workers[worker].head?.forgiven == 5_000)
    bench.context.now = Instant(nanoseconds: 6_000)
    guard case .timeout = bench.supervisor.check(worker, &bench.context) else {
      Issue.record("its time is over")
      return
    }
  }

  @Test(
    "a closed fleet is forgotten with its last worker, and its number is used again without queues"
  )
  func fleets() {
    var bench = Bench()
    let worker = bench.serve()
    bench.execute(on: worker)
    for _ in 0..<2 { bench.supervisor.close(bench.fleet, &bench.context) }
    let early = bench.supervisor.forget(bench.fleet, &bench.context)
    #expect(early == nil)
    bench.supervisor.retire(worker, &bench.context)
    _ = bench.remove(worker)
    let gone = bench.supervisor.forget(bench.fleet, &bench.context)
    #expect(gone == [bench.configuration])
    bench.supervisor.allowReuse(of: bench.fleet)
    let next = bench.supervisor.addFleet()
    #expect(next == bench.fleet)
  }
}

import PoolModel
import Testing

@testable import PoolCore

/// The supervisor alone: what workers are needed for, and what they are at, are values.
@Suite("The supervisor alone")
struct SupervisorTests {
  /// A supervisor with one fleet and one configuration.
  private struct Bench: ~Copyable {
    var supervisor: Supervisor
    var turn = Turn()
    let fleet: FleetID
    let configuration: ConfigurationID

    init(workers: Int = 1, policy: PoolPolicy = PoolPolicy()) {
      supervisor = Supervisor(policy: policy)
      fleet = supervisor.addFleet()
      configuration = supervisor.addConfiguration(ConfigurationSpec(count: workers), to: fleet)
    }

    mutating func start() -> WorkerHandle {
      supervisor.start(configuration, &turn) ?? WorkerHandle(-1)
    }

    mutating func serve() -> WorkerHandle {
      let worker = start()
      let abilities = WorkerAbilities(
        prefetches: true,
        returns: true,
        stops: false,
        answersPings: true
      )
      _ = supervisor.greet(worker, abilities, &turn)
      turn.effects.removeAll()
      return worker
    }

    func problems() -> [String] {
      var demand = Demands()
      supervisor.demandSound(&demand)
      return demand.broken
    }
  }

  private func front(isExecuting: Bool, limit: Int64 = .max) -> WorkFront {
    WorkFront(
      reference: DispatchReference(
        operation: OperationID(rawValue: 7),
        dispatch: DispatchNumber(rawValue: 1)
      ),
      isExecuting: isExecuting,
      startedAt: .zero,
      limit: limit,
      hasFollowers: false
    )
  }

  @Test("workers are started while more is ready than workers start or are idle, up to the count")
  func starting() {
    var bench = Bench(workers: 2)
    var demand = WorkerDemand(isKnown: true)
    demand.width = .max
    let isNeeded = bench.supervisor.needsWorker(bench.configuration, for: demand)
    #expect(!isNeeded)
    demand.ready = 2
    var started = 0
    while bench.supervisor.mayGrow(bench.configuration),
      bench.supervisor.needsWorker(bench.configuration, for: demand)
    {
      _ = bench.start()
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
      guard let worker = bench.supervisor.start(bench.configuration, &bench.turn) else {
        let due = bench.supervisor.restarts.next ?? .zero
        waits.append(due.nanoseconds - bench.turn.now.nanoseconds)
        bench.turn.now = due
        continue
      }
      while bench.supervisor.restarts.popDue(at: bench.turn.now) != nil {}
      let life = bench.supervisor.remove(worker)
      bench.supervisor.charge(life, &bench.turn)
    }
    #expect(waits.count == 2)
    #expect(waits.allSatisfy { $0 > 0 })
    let last = bench.turn.effects.last
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
    let front = front(isExecuting: true)
    let sequence = PoolTeardownSequence.standard
    bench.supervisor.beginTeardown(worker, front, ending: .timedOut, by: sequence, &bench.turn)
    #expect(bench.supervisor.closed == [worker])
    var looks = 0
    while let due = bench.supervisor.deadline(of: worker, front), due != .distantFuture, looks < 9 {
      bench.turn.now = due
      let finding = bench.supervisor.look(at: worker, front, &bench.turn)
      guard case .teardownStep = finding else { break }
      bench.supervisor.takeTeardownStep(worker, front, sequence, &bench.turn)
      looks += 1
    }
    let signals = bench.turn.effects.compactMap { effect in
      if case .signal(_, let signal, _) = effect { return signal }
      return nil
    }
    #expect(signals.first == 15)
    #expect(signals.last == 9)
    #expect(bench.supervisor.teardownEnding(of: worker) == .timedOut)
    bench.supervisor.endFront(worker, hasAnswered: false, &bench.turn)
    #expect(bench.supervisor.teardownEnding(of: worker) == nil)
  }

  @Test(
    "a worker that executes in silence is asked whether it is there, and killed if it says nothing"
  )
  func heartbeat() {
    var bench = Bench()
    let worker = bench.serve()
    let front = front(isExecuting: true)
    for expected in ["ping", "signal"] {
      bench.turn.effects.removeAll()
      bench.turn.now = bench.supervisor.deadline(of: worker, front) ?? .zero
      guard case .working = bench.supervisor.look(at: worker, front, &bench.turn) else {
        Issue.record("it executes")
        return
      }
      bench.supervisor.checkHeartbeat(worker, front, &bench.turn)
      #expect(bench.turn.effects.count == 1)
      #expect(bench.turn.effects.allSatisfy { "\($0)".contains(expected) })
    }
    #expect(bench.supervisor.closed == [worker])
  }

  @Test(
    "what takes longer than its limit is found out, and time in which it was not read is not held against it"
  )
  func timeouts() {
    var bench = Bench()
    let worker = bench.serve()
    let front = front(isExecuting: true, limit: 1_000)
    bench.supervisor.unread(worker, at: .zero)
    bench.turn.now = Instant(nanoseconds: 5_000)
    guard case .nothing = bench.supervisor.look(at: worker, front, &bench.turn) else {
      Issue.record("it is not read")
      return
    }
    bench.supervisor.readAgain(worker, front, at: bench.turn.now)
    #expect(bench.supervisor.limit(of: front, on: worker) == 6_000)
    bench.turn.now = Instant(nanoseconds: 6_000)
    guard case .timeout = bench.supervisor.look(at: worker, front, &bench.turn) else {
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
    let closings = [bench.supervisor.close(bench.fleet), bench.supervisor.close(bench.fleet)]
    #expect(closings == [true, false])
    let early = bench.supervisor.forget(bench.fleet, &bench.turn)
    #expect(early == nil)
    bench.supervisor.retire(worker, &bench.turn)
    _ = bench.supervisor.remove(worker)
    let gone = bench.supervisor.forget(bench.fleet, &bench.turn)
    #expect(gone == [bench.configuration])
    bench.supervisor.giveBack(bench.fleet)
    let next = bench.supervisor.addFleet()
    #expect(next == bench.fleet)
  }
}

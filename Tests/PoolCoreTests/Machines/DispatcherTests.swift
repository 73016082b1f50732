import PoolModel
import Testing

@testable import PoolCore

/// The dispatcher alone: operations are records, and workers are lines.
@Suite("The dispatcher alone")
struct DispatcherTests {
  /// A dispatcher with one fleet, one queue and idle workers of one configuration.
  private struct Bench: ~Copyable {
    var dispatcher = Dispatcher(policy: PoolPolicy())
    var records = OperationTable()
    var context = EventContext()
    let fleet = FleetID(rawValue: 0)
    let configuration = ConfigurationID(rawValue: 0)
    let kind = KindID(rawValue: 0)
    let queue: QueueID

    init(workers: Int) {
      dispatcher.add(fleet)
      dispatcher.add(configuration, ConfigurationSpec(count: workers, kinds: [kind]), to: fleet)
      queue = dispatcher.addQueue(to: fleet)
      for worker in 0..<workers {
        let id = WorkerID(rawValue: UInt32(worker + 1))
        dispatcher.add(WorkerHandle(worker), id, of: configuration)
        let capabilities = Set<Capability>.full
        dispatcher.open(WorkerHandle(worker), capabilities, [kind], allowance: .max)
      }
    }

    /// Adds an operation that is ready at once.
    mutating func add(
      _ priority: PoolQueuePriority = .normal,
      _ change: (inout OperationSpec) -> Void = { _ in }
    ) -> OperationHandle {
      var spec = OperationSpec(kind: kind, priority: priority)
      change(&spec)
      let claims = dispatcher.resources.keep(spec.claims)
      let handle = records.create(spec, claims: claims).handle
      records[handle].queue = queue
      dispatcher.enter(handle, in: queue, &records)
      _ = records[handle].enter()
      records[handle].becomeReady()
      dispatcher.enterReady(handle, &records)
      return handle
    }

    /// Gives workers what they may have; returns which got what, in order.
    mutating func dispatch() -> [String] {
      context.effects.removeAll()
      dispatcher.dispatchToIdle(of: fleet, &records, &context)
      dispatcher.dispatchToListed(configuration, &records, &context)
      while dispatcher.nextSupplied() != nil {}
      return context.effects.map { effect in
        guard case .dispatch(let worker, let reference, _) = effect else { return "\(effect)" }
        return "\(reference.operation.index) to \(worker)"
      }
    }

    /// A worker answers what it has first.
    mutating func answer(_ worker: Int) {
      let worker = WorkerHandle(worker)
      guard let first = dispatcher.first(of: worker) else { return }
      let reported = Dispatcher.Reported(
        handle: first.handle,
        worker: worker,
        isFirst: true,
        hasAnswered: true
      )
      dispatcher.take(reported, &records)
      dispatcher.leave(first.handle, records[first.handle].position)
      records[first.handle].settle(.succeeded, root: first.reference.operation)
    }

    func problems() -> [String] {
      var demand = InvariantCheck()
      dispatcher.demandSound(records, &demand)
      return demand.broken
    }
  }

  private func expect(
    _ found: [String],
    _ expected: [String],
    _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(found == expected, sourceLocation: location)
  }

  @Test("idle workers are given what is most urgent, then what was submitted first")
  func order() {
    var bench = Bench(workers: 3)
    for priority in [PoolQueuePriority.low, .normal, .veryHigh, .normal] { _ = bench.add(priority) }
    expect(bench.dispatch(), ["2 to 1", "1 to 2", "3 to 3"])
    #expect(bench.dispatcher.readyCount == 1)
    bench.answer(1)
    expect(bench.dispatch(), ["0 to 2"])
    #expect(bench.problems() == [])
  }

  @Test(
    "a queue's width and its suspension hold back what is ready, and nothing that was dispatched"
  )
  func width() {
    var bench = Bench(workers: 3)
    for _ in 0..<3 { _ = bench.add() }
    _ = bench.dispatcher.apply(.width(1, of: bench.queue), &bench.records)
    expect(bench.dispatch(), ["0 to 1"])
    bench.answer(0)
    _ = bench.dispatcher.apply(.suspended(true, bench.queue), &bench.records)
    expect(bench.dispatch(), [])
    _ = bench.dispatcher.apply(.suspended(false, bench.queue), &bench.records)
    expect(bench.dispatch(), ["1 to 1"])
    #expect(bench.problems() == [])
  }

  @Test("what claims the same unit goes one at a time, in order")
  func claims() {
    var bench = Bench(workers: 2)
    let resource = bench.dispatcher.resources.add(capacity: 1, countsSlots: false)
    for _ in 0..<2 { _ = bench.add { $0.claims = [resource] } }
    expect(bench.dispatch(), ["0 to 1"])
    bench.answer(0)
    expect(bench.dispatch(), ["1 to 1"])
    #expect(bench.problems() == [])
  }

  @Test("how the slots of a queue are used, and what lacks units, is told")
  func standing() {
    var bench = Bench(workers: 3)
    let resource = bench.dispatcher.resources.add(capacity: 1, countsSlots: false)
    for _ in 0..<3 { _ = bench.add { $0.claims = [resource] } }
    expect(bench.dispatch(), ["0 to 1"])
    var standing = bench.dispatcher.standing(of: bench.queue)
    #expect(standing.slots == 3 && standing.taken == 1 && standing.idleWorkers == 2)
    #expect(standing.ready == 2 && standing.wide == 0 && standing.assigned == 1)
    #expect(standing.lacks == [QueueStanding.Lack(resource: resource, units: 1, waiting: 2)])
    _ = bench.dispatcher.apply(.width(2, of: bench.queue), &bench.records)
    _ = bench.add { $0.slots = 3 }
    expect(bench.dispatch(), [])
    standing = bench.dispatcher.standing(of: bench.queue)
    #expect(standing.slots == 2 && standing.wide == 1 && standing.ready == 3)
  }

  @Test("a reserve counts only where others do not serve a kind that is wanted")
  func reserve() {
    var bench = Bench(workers: 2)
    var spec = ConfigurationSpec(count: 8, kinds: [KindID(rawValue: 0)])
    spec.isReserve = true
    bench.dispatcher.add(ConfigurationID(rawValue: 1), spec, to: bench.fleet)
    _ = bench.add()
    #expect(bench.dispatcher.standing(of: bench.queue).slots == 2)
    bench.dispatcher.configurations[bench.configuration].kinds = []
    #expect(bench.dispatcher.standing(of: bench.queue).slots == 10)
  }

  @Test("short operations are prefetched and recalled; what was asked back is not followed by more")
  func prefetch() {
    var bench = Bench(workers: 1)
    let kindQueue = bench.dispatcher.kindQueue(of: bench.kind, in: bench.queue)
    bench.dispatcher.kindQueues[kindQueue].estimate.add(average: 1_000, count: 100)
    for _ in 0..<3 { _ = bench.add() }
    expect(bench.dispatch(), ["0 to 1", "1 to 1", "2 to 1"])
    bench.dispatcher.recall(from: WorkerHandle(0), &bench.context)
    let recalls = bench.context.effects.count { effect in
      if case .recall = effect { return true }
      return false
    }
    #expect(recalls == 2)
    _ = bench.add()
    expect(bench.dispatch(), [])
    #expect(bench.problems() == [])
  }

  @Test("an operation in quarantine goes to a worker that has executed nothing, and to no other")
  func quarantine() {
    var bench = Bench(workers: 2)
    _ = bench.add()
    expect(bench.dispatch(), ["0 to 1"])
    bench.answer(0)
    let suspect = bench.add()
    let level = UInt8(bench.records[suspect].level)
    bench.dispatcher.removeReady(suspect, level, isOffered: true, &bench.records)
    bench.records[suspect].setOffered(false)
    let isOneTooMany = bench.dispatcher.blame(
      bench.records.id(of: suspect),
      WorkerID(rawValue: 1),
      .none,
      &bench.context
    )
    #expect(!isOneTooMany)
    bench.dispatcher.enterReady(suspect, &bench.records)
    expect(bench.dispatch(), [])
    let supply = FreshSupply(
      configuration: bench.configuration,
      isClosing: false,
      acceptsAny: false,
      coming: 0
    )
    let leaving = bench.dispatcher.dispatchSuspects([supply], &bench.records, &bench.context)
    #expect(leaving.isEmpty)
    #expect(bench.dispatcher.first(of: WorkerHandle(1))?.handle == suspect)
    while bench.dispatcher.nextSupplied() != nil {}
    #expect(bench.problems() == [])
  }

  @Test("demand counts what is ready for workers, and what no worker has announced")
  func demand() {
    var bench = Bench(workers: 1)
    for _ in 0..<3 { _ = bench.add() }
    let demand = bench.dispatcher.demand(for: bench.configuration)
    guard case .ofKnownKinds(let known) = demand else {
      Issue.record("the kinds are known")
      return
    }
    #expect(known.ready == 3)
    #expect(known.idle == 1)
    let other = ConfigurationID(rawValue: 1)
    bench.dispatcher.add(other, ConfigurationSpec(count: 1), to: bench.fleet)
    #expect(bench.dispatcher.demand(for: other) == .ofUnknownKinds(unannounced: 0))
    _ = bench.dispatcher.reviewService(of: bench.fleet, without: [bench.configuration])
    #expect(bench.dispatcher.demand(for: other) == .ofUnknownKinds(unannounced: 3))
  }
}

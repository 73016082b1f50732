import PoolCore
import PoolModel
import PoolWire
import Synchronization

/// The library's side of the one graph that this process has: it keeps the operations that are in
/// queues, and is told by the coordinator's thread how they go.
final class OperationRegistry: CoordinatorClient {
  /// The one that all queues use.
  static let process = OperationRegistry()

  let coordinator = Coordinator()
  private let kept = Mutex<[KeptOperation?]>([])
  private let watched = Mutex<[OperationID: WeakOperation]>([:])

  /// An operation that has not finished, and its input.
  struct KeptOperation {
    var operation: PoolOperation
    var queue: QueueCore
    var payload: [UInt8]
  }

  private struct WeakOperation {
    weak var operation: PoolOperation?
  }

  private init() {}

  /// Changes what the coordinator's lock guards, and sees to it that somebody performs what
  /// follows, even where there is no fleet.
  func update<Value, Failure: Error>(
    _ body: (inout Coordinator.Shared, Instant) throws(Failure) -> sending Value
  ) throws(Failure) -> sending Value {
    var isOrphaned = false
    defer {
      // Where no thread can be had, the effects wait for the next fleet's.
      if isOrphaned { try? coordinator.run(for: self) }
    }
    return try coordinator.update { shared, now throws(Failure) in
      defer { isOrphaned = shared.wakePipe == nil && !shared.machine.effects.isEmpty }
      return try body(&shared, now)
    }
  }
}

// MARK: - Keeping

extension OperationRegistry {
  /// Keeps operations until they finish, each under its slot.
  func keep(_ batch: [KeptOperation], _ ids: [OperationID]) {
    kept.withLock { kept in
      for (operation, id) in zip(batch, ids) {
        while kept.count <= id.slot { kept.append(nil) }
        kept[id.slot] = operation
      }
    }
  }

  /// Forgets operations that a queue refused after all.
  func unkeep(_ ids: [OperationID]) {
    kept.withLock { kept in
      for id in ids { kept[id.slot] = nil }
    }
  }

  /// The operations of these numbers, as far as they are in queues.
  func operations(_ ids: [OperationID]) -> [PoolOperation] {
    kept.withLock { kept in ids.compactMap { kept[$0.slot]?.operation } }
  }

  private func find(_ id: OperationID) -> PoolOperation? {
    let inQueue = kept.withLock { kept in
      id.slot < kept.count ? kept[id.slot]?.operation : nil
    }
    return inQueue ?? watched.withLock { $0[id]?.operation }
  }

  /// Lets an operation be found that is in no queue yet, because somebody observes it.
  func watch(_ operation: PoolOperation, _ id: OperationID) {
    watched.withLock { $0[id] = WeakOperation(operation: operation) }
  }

  /// Forgets an operation that nobody can ask for any more.
  func release(_ id: OperationID, categories names: [String]) {
    _ = watched.withLock { $0.removeValue(forKey: id) }
    coordinator.release(id, categories: names)
  }
}

// MARK: - What the coordinator asks and tells

extension OperationRegistry {
  func execution(of operation: OperationID) -> OperationExecution {
    guard let kept = kept.withLock({ $0[operation.slot] }) else {
      preconditionFailure("an operation is kept until it has finished")
    }
    var execution = OperationExecution(
      kind: kept.operation.kind,
      qualityOfService: kept.operation.effectiveQualityOfService(in: kept.queue),
      payload: kept.payload
    )
    execution.operation = kept.operation
    execution.name = kept.operation.name
    execution.queueName = kept.queue.settings.withLock { $0.name }
    execution.inputs = kept.operation.executionInputs
    return execution
  }

  func prepare(
    _ id: OperationID,
    _ finished: @escaping @Sendable (Preparation) -> Void
  ) {
    guard let operation = find(id) else { return finished(.ready) }
    Task {
      let (preparation, payload) = await operation.prepare()
      if let payload { kept.withLock { $0[id.slot]?.payload = payload } }
      finished(preparation)
    }
  }

  func operation(_ id: OperationID, changed change: OperationChange) {
    switch change {
    case .ready: find(id)?.announce(.ready)
    case .pending: find(id)?.announce(.pending)
    case .cancelled: find(id)?.announce(.cancelled)
    }
  }

  func operationStarted(
    _ operation: OperationID,
    on worker: WorkerID,
    attempt: Int,
    at: Instant
  ) {
    find(operation)?.announce(.executing(attempt: attempt, worker: worker))
  }

  func operation(_ operation: OperationID, progressed progress: Progress) {
    find(operation)?.progressed(
      PoolProgress(completed: progress.completed, total: progress.total)
    )
  }

  func operation(_ operation: OperationID, logged log: Log) {
    find(operation)?.announce(.logged(log.message))
  }

  func operationRetries(_ settlement: Settlement, _ report: AttemptReport) {
    guard let failure = PoolFailure(settlement, report) else { return }
    find(settlement.operation)?.announce(.retrying(failure))
  }

  func operationSettled(_ settlement: Settlement, _ report: AttemptReport) {
    let slot = settlement.operation.slot
    let taken = kept.withLock { kept in
      defer { kept[slot] = nil }
      return kept[slot]
    }
    guard let taken else { return }
    // An outcome lives as long as its operation, and must not keep a file open for so long.
    let canceller = taken.operation.book.withLock { $0.canceller }
    let outcome = PoolOutcome(settlement, report.withoutFiles, cancelledBy: canceller)
    taken.operation.finish(outcome, report)
    taken.queue.countDown()
  }

  func fleetChanged(_ event: FleetEvent) {}
  func coordinatorRests() {}
  func coordinatorStopped() {}
}

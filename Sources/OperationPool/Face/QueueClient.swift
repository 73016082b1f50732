import PoolCore
import PoolModel
import PoolSystem
import PoolWire
import Synchronization

/// What a queue is behind its face: the operations it keeps until they finish.
///
/// The coordinator's thread keeps it, so that a queue that was dropped finishes its work.
final class QueueClient: CoordinatorClient {
  let coordinator: Coordinator
  /// What threads wait on; it guards nothing.
  let waiters = Monitor(())
  private let kept = Mutex(Kept())
  private let unfinished = Atomic(0)

  private struct Kept {
    /// By slot.
    var operations: [KeptOperation?] = []
    var isDropped = false
  }

  /// An operation that has not finished, and its input.
  struct KeptOperation {
    var operation: PoolOperation
    var payload: [UInt8]
  }

  init(_ coordinator: Coordinator) {
    self.coordinator = coordinator
  }

  /// Operations that were added and have not finished.
  var count: Int { unfinished.load(ordering: .acquiring) }

  /// Those operations, in the order of their slots.
  var operations: [PoolOperation] {
    kept.withLock { $0.operations.compactMap { $0?.operation } }
  }

  /// Keeps operations until they finish, each under its slot.
  func keep(_ batch: [KeptOperation], _ ids: [OperationID]) {
    unfinished.add(batch.count, ordering: .acquiringAndReleasing)
    kept.withLock { kept in
      for (operation, id) in zip(batch, ids) {
        while kept.operations.count <= id.slot { kept.operations.append(nil) }
        kept.operations[id.slot] = operation
      }
    }
  }

  /// Ends the workers once nothing is left to do.
  func drop() {
    kept.withLock { $0.isDropped = true }
    guard count > 0 else { return coordinator.stop() }
    // Nobody is left who could resume a queue that was dropped while it was suspended.
    coordinator.tell { machine, _ in
      machine.isSuspended = false
      machine.width = max(machine.width, 1)
    }
  }

  private func take(_ id: OperationID) -> PoolOperation? {
    kept.withLock { kept in
      defer { kept.operations[id.slot] = nil }
      return kept.operations[id.slot]?.operation
    }
  }

  /// An operation has finished in every respect; the last one wakes those who wait for all.
  private func countDown() {
    let rest = unfinished.subtract(1, ordering: .acquiringAndReleasing).newValue
    guard rest == 0 else { return }
    waiters.withLock { _ in }
    waiters.broadcast()
    if kept.withLock({ $0.isDropped }) { coordinator.stop() }
  }
}

extension QueueClient {
  func execution(of operation: OperationID) -> OperationExecution {
    guard let kept = kept.withLock({ $0.operations[operation.slot] }) else {
      preconditionFailure("an operation is kept until it has finished")
    }
    var execution = OperationExecution(
      kind: kept.operation.kind,
      qualityOfService: kept.operation.qualityOfService,
      payload: kept.payload
    )
    execution.operation = kept.operation
    return execution
  }

  func operationSettled(_ settlement: Settlement, _ report: AttemptReport) {
    guard let operation = take(settlement.operation) else { return }
    // An outcome lives as long as its operation, and must not keep a file open for so long.
    operation.finish(PoolOutcome(settlement, report.withoutFiles))
    countDown()
  }

  func operationStarted(
    _ operation: OperationID,
    on worker: WorkerID,
    attempt: Int,
    at: Instant
  ) {}
  func operation(_ operation: OperationID, progressed progress: Progress) {}
  func operation(_ operation: OperationID, logged log: Log) {}
  func operationRetries(_ settlement: Settlement, _ report: AttemptReport) {}
  func fleetChanged(_ event: FleetEvent) {}
  func coordinatorRests() {}
  func coordinatorStopped() {}
}

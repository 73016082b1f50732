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

  private struct Kept {
    /// By slot.
    var operations: [KeptOperation?] = []
    var count = 0
    var isDropped = false
  }

  private struct KeptOperation {
    var operation: PoolOperation
    var execution: OperationExecution
  }

  init(_ coordinator: Coordinator) {
    self.coordinator = coordinator
  }

  /// Operations that were added and have not finished.
  var count: Int { kept.withLock { $0.count } }

  /// Those operations, in the order of their slots.
  var operations: [PoolOperation] {
    kept.withLock { $0.operations.compactMap { $0?.operation } }
  }

  /// Keeps an operation until it finishes.
  func keep(_ operation: PoolOperation, _ id: OperationID, payload: [UInt8]) {
    let execution = OperationExecution(
      kind: operation.kind,
      qualityOfService: operation.qualityOfService,
      payload: payload
    )
    kept.withLock { kept in
      while kept.operations.count <= id.slot { kept.operations.append(nil) }
      kept.operations[id.slot] = KeptOperation(operation: operation, execution: execution)
      kept.count += 1
    }
  }

  /// Ends the workers once nothing is left to do.
  func drop() {
    let isEmpty = kept.withLock { kept in
      kept.isDropped = true
      return kept.count == 0
    }
    guard !isEmpty else { return resume() }
    coordinator.stop()
  }

  /// Nobody is left who could resume a queue that was dropped while it was suspended.
  private func resume() {
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
    let (isEmpty, isDropped) = kept.withLock { kept in
      kept.count -= 1
      return (kept.count == 0, kept.isDropped)
    }
    guard isEmpty else { return }
    waiters.withLock { _ in }
    waiters.broadcast()
    if isDropped { coordinator.stop() }
  }
}

extension QueueClient {
  func execution(of operation: OperationID) -> OperationExecution {
    guard let kept = kept.withLock({ $0.operations[operation.slot] }) else {
      preconditionFailure("an operation is kept until it has finished")
    }
    return kept.execution
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

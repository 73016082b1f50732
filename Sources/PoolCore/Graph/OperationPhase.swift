package import PoolModel

/// Where an operation stands, as its user sees it.
package enum OperationPhase: Hashable, Sendable {
  /// It waits for a dependency, or is not in the queue.
  case pending
  /// It can be executed, or was handed to a worker that has not begun it.
  case ready
  /// A worker executes it.
  case executing
  /// It has its outcome.
  case finished
}

extension Graph {
  /// The phase of an operation; a released one has finished.
  package func phase(of id: OperationID) -> OperationPhase {
    guard let handle = operations.handle(of: id) else { return .finished }
    switch operations[handle].state {
    case .created where operations[handle].waitsForNothing,
      .willSkip where operations[handle].waitsForNothing:
      return .ready
    case .created, .willSkip, .waiting, .preparing: return .pending
    case .ready, .dispatched: return .ready
    case .executing, .open: return .executing
    case .free, .settled: return .finished
    }
  }
}

extension Graph {
  /// Whether at least one attempt of an operation has begun, or a group has opened.
  package func hasBegun(_ id: OperationID) -> Bool {
    guard let handle = operations.handle(of: id) else { return false }
    return operations[handle].attempt > 0
      || operations[handle].role == .gatedGroup && operations[handle].queuedAt != .zero
  }

  /// Whether an operation was cancelled, and has not ended.
  package func isCancelled(_ id: OperationID) -> Bool {
    operations.handle(of: id).map { isCancelled($0) } ?? false
  }

  /// Whether an operation has a dependency that has not ended, or a gate that is not open.
  package func waits(_ id: OperationID) -> Bool {
    operations.handle(of: id).map { operations[$0].unmet > 0 } ?? false
  }

  /// Whether anything waits for an operation.
  package func isAwaited(_ id: OperationID) -> Bool {
    operations.handle(of: id).map { edges.isAwaited($0) } ?? false
  }
}

extension OperationLife {
  /// Whether it has no dependency left, or ignores them because it is cancelled.
  fileprivate var waitsForNothing: Bool { unmet == 0 || state.isCancelled }
}

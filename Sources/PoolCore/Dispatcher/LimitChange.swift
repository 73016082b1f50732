package import PoolModel

/// What users change of how much may be dispatched; workers keep what they have.
package enum LimitChange: Sendable {
  /// Dispatches nothing more of a queue, or goes on.
  case suspended(Bool, QueueID)
  /// How many slots of the queue's operations workers may have.
  case width(Int, of: QueueID)
  /// How many more operations of the queue may be dispatched.
  case permits(Int, of: QueueID)
  /// How many units of a resource there are.
  case capacity(Int, of: ResourceID)
}

extension Dispatcher {
  /// Makes a change; returns the queue that has opened or closed by it and whose ready operations
  /// have claims, which must be reviewed.
  mutating func apply(_ change: LimitChange, _ records: inout OperationTable) -> QueueID? {
    switch change {
    case .suspended(let isSuspended, let queue):
      return self.change(queue) { $0.isSuspended = isSuspended }
    case .width(let width, let queue): return self.change(queue) { $0.width = max(width, 0) }
    case .permits(let count, let queue): return self.change(queue) { $0.permits = max(count, 0) }
    case .capacity(let capacity, let resource):
      setCapacity(capacity, of: resource, &records)
      return nil
    }
  }
}

package import PoolModel

/// Changes of how much may be dispatched; workers keep what they have.
package enum LimitChange: Sendable {
  /// Suspends a queue, or resumes it.
  case suspended(Bool, QueueID)
  /// Sets the number of slots that the queue's operations may take at once.
  case width(Int, of: QueueID)
  /// Sets the number of further dispatches of the queue.
  case permits(Int, of: QueueID)
  /// Sets the number of units of a resource.
  case capacity(Int, of: ResourceID)
}

extension Dispatcher {
  /// Applies a change; returns the queue if the change has opened or closed it and its ready
  /// operations contend for something.
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

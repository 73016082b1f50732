import PoolCore
import PoolModel

// Queues: their settings, and what is in them.

extension PoolEngine {
  /// How many slots the operations of a queue may have at once.
  func width(of queue: QueueID) -> Int {
    read { $0.machine.width(of: queue) }
  }

  /// Changes the width; the closure is told the old one, under the lock.
  func setWidth(_ width: Int, of queue: QueueID, _ announce: (_ old: Int) -> Void) {
    update { shared, _ in
      let old = shared.machine.width(of: queue)
      shared.machine.setWidth(width, of: queue)
      announce(old)
    }
  }

  /// Whether nothing is dispatched from a queue.
  func isSuspended(_ queue: QueueID) -> Bool {
    read { $0.machine.isSuspended(queue) }
  }

  /// Suspends or resumes a queue; the closure is told what it was before, under the lock.
  func setSuspended(_ isSuspended: Bool, _ queue: QueueID, _ announce: (_ old: Bool) -> Void) {
    update { shared, _ in
      let old = shared.machine.isSuspended(queue)
      shared.machine.setSuspended(isSuspended, queue)
      announce(old)
    }
  }

  /// Lets a queue come to its end though no owner can resume or widen it any more.
  func abandon(_ queue: QueueID) {
    update { shared, _ in
      shared.machine.setSuspended(false, queue)
      shared.machine.setWidth(max(shared.machine.width(of: queue), 1), of: queue)
    }
  }

  /// Number of operations of a queue that have not settled; O(1).
  func unsettledCount(of queue: QueueID) -> Int {
    read { $0.machine.unsettledCount(of: queue) }
  }

  /// Those operations, in the order of their submission; O(operations).
  func operations(in queue: QueueID) -> [OperationID] {
    read { $0.machine.operations(in: queue) }
  }
}

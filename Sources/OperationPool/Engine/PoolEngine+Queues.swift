import PoolCore
import PoolModel

// Queues: their settings, and what is in them.

extension PoolEngine {
  /// How many slots the operations of a queue may have at once.
  func width(of queue: QueueID) -> Int {
    read { $0.width(of: queue) }
  }

  /// Whether nothing is dispatched from a queue.
  func isSuspended(_ queue: QueueID) -> Bool {
    read { $0.isSuspended(queue) }
  }

  /// Lets a queue come to its end though no owner can resume or widen it any more.
  func abandon(_ queue: QueueID) {
    update { transaction in
      transaction.setSuspended(false, queue)
      transaction.setWidth(max(transaction.width(of: queue), 1), of: queue)
    }
  }

  /// Number of operations of a queue that have not settled; O(1).
  func unsettledCount(of queue: QueueID) -> Int {
    read { $0.unsettledCount(of: queue) }
  }

  /// Those operations, in the order of their submission; O(operations).
  func operations(in queue: QueueID) -> [OperationID] {
    read { $0.operations(in: queue) }
  }
}

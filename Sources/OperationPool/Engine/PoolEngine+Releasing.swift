import PoolCore
import PoolModel
import PoolSystem
import Synchronization

// Forgets operations that have no reference left.

extension PoolEngine {
  /// An operation without references, and the categories that it names.
  struct Released: Sendable {
    let operation: OperationID
    let categories: [String]
    /// The resource that is the width of a group.
    let width: ResourceID?
  }

  /// Forgets an operation that has no reference left, and its membership in categories.
  ///
  /// The caller may hold the lock, because the last reference may be dropped there: then the
  /// operation is forgotten when the lock is free.
  func release(_ operation: OperationID, categories: [String], width: ResourceID?) {
    // Mostly the lock is free, and nothing needs to be stored.
    let isForgotten =
      released.isEmpty && tryForget { $0.release(operation, categories: categories, width: width) }
    if !isForgotten {
      released.append(Released(operation: operation, categories: categories, width: width))
    }
    forgetReleased()
  }

  /// Releases the operations if the lock is free; returns whether it did.
  ///
  /// Wakes the loop if dependents of these operations can proceed.
  private func tryForget(_ body: (inout Transaction) -> Void) -> Bool {
    let now = now
    let wakePipe: WakePipe?? = NormalPriorityThread.execute {
      shared.withLockIfAvailable { shared in
        shared.transaction.advance(to: now)
        body(&shared.transaction)
        return shared.sleeper()
      }
    }
    guard let wakePipe else { return false }
    wakePipe?.wake()
    return true
  }

  /// Forgets the operations that were released meanwhile; if the lock is held, its holder does so.
  func forgetReleased() {
    while !released.isEmpty {
      let isDone = tryForget { transaction in
        for released in released.takeAll() {
          let (categories, width) = (released.categories, released.width)
          transaction.release(released.operation, categories: categories, width: width)
        }
      }
      guard isDone else { return }
    }
  }
}

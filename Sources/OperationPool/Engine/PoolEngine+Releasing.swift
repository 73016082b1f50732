import PoolCore
import PoolModel
import PoolSystem
import Synchronization

// Operations that have no reference left are forgotten.

extension PoolEngine {
  /// An operation that has no reference left, and the categories that it names.
  struct Released: Sendable {
    let operation: OperationID
    let categories: [String]
  }

  /// Forgets an operation that has no reference left, and its part in categories.
  ///
  /// May be called by a thread that holds the lock, because the last reference may be let go there:
  /// then the operation is forgotten when the lock is free.
  func release(_ operation: OperationID, categories: [String]) {
    // Mostly the lock is free: then nothing need be remembered.
    let isForgotten =
      released.isEmpty && tryForget { $0.release(operation, categories: categories) }
    if !isForgotten { released.append(Released(operation: operation, categories: categories)) }
    forgetReleased()
  }

  /// Releases operations if the lock is free; returns whether it did.
  ///
  /// Wakes the loop where what waited for them can go on.
  private func tryForget(_ body: (inout Transaction) -> Void) -> Bool {
    let now = now
    let wakePipe: WakePipe?? = NormalPriorityThread.execute {
      shared.withLockIfAvailable { shared in
        shared.transaction.now = now
        body(&shared.transaction)
        return shared.transaction.machine.wantsTurn ? shared.wakeUps.wake() : nil
      }
    }
    guard let wakePipe else { return false }
    wakePipe?.wake()
    return true
  }

  /// Forgets what was released meanwhile; if the lock is held, the thread that holds it does so.
  func forgetReleased() {
    while !released.isEmpty {
      let isDone = tryForget { transaction in
        for released in released.takeAll() {
          transaction.release(released.operation, categories: released.categories)
        }
      }
      guard isDone else { return }
    }
  }
}

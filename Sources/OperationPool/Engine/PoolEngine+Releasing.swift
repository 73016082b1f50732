import PoolCore
import PoolModel
import PoolSystem
import Synchronization

// Operations that nobody can ask for any more are forgotten.

extension PoolEngine {
  /// An operation that nothing can ask for any more, and the categories that it names.
  struct Released: Sendable {
    let operation: OperationID
    let categories: [String]
  }

  /// Forgets an operation that nobody can ask for any more, and its part in categories.
  ///
  /// May be called by a thread that holds the lock, which is where the last reference to an
  /// operation may happen to be let go: then it is done when the lock is given back.
  func release(_ operation: OperationID, categories: [String]) {
    // Mostly nobody holds the lock: then nothing need be remembered.
    let isForgotten =
      released.isEmpty && tryForget { $0.release(operation, categories: categories) }
    if !isForgotten { released.append(Released(operation: operation, categories: categories)) }
    forgetReleased()
  }

  /// Has operations forgotten unless somebody holds the lock, and then returns false; wakes the
  /// loop, because those that waited for them may have something to do.
  private func tryForget(_ body: (inout Transaction) -> Void) -> Bool {
    let now = now
    let wakePipe: WakePipe?? = Deputy.execute {
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

  /// Forgets what was released meanwhile, unless somebody holds the lock, who does it afterwards.
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

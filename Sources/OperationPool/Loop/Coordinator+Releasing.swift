import PoolCore
import PoolModel
import PoolSystem
import Synchronization

// Operations that nobody can ask for any more are forgotten.

extension Coordinator {
  /// Forgets an operation that nobody can ask for any more, and its part in categories.
  ///
  /// May be called by a thread that holds the lock, which is where the last reference to an
  /// operation may happen to be let go: then it is done when the lock is given back.
  func release(_ operation: OperationID, categories: [String]) {
    // Mostly nobody holds the lock: then nothing need be remembered.
    if released.isEmpty, let wakePipe = forget([(operation, categories)]) {
      wakePipe?.wake()
    } else {
      released.append(operation, categories)
    }
    forgetReleased()
  }

  /// Forgets operations unless somebody holds the lock, and then returns nil; else returns what is to
  /// be woken, because those that waited for them may have something to do.
  private func forget(
    _ operations: @autoclosure () -> [(OperationID, categories: [String])]
  ) -> WakePipe?? {
    let now = now
    return shared.withLockIfAvailable { shared in
      for (operation, categories) in operations() {
        shared.machine.release(operation, at: now)
        for category in categories { shared.leave(category) }
      }
      return shared.machine.effects.isEmpty ? nil : rouse(&shared)
    }
  }

  /// Forgets what was released meanwhile, unless somebody holds the lock, who does it afterwards.
  func forgetReleased() {
    while !released.isEmpty {
      guard let wakePipe = forget(released.takeAll()) else { return }
      wakePipe?.wake()
    }
  }
}

import Foundation
import Synchronization

/// A Foundation operation that stands for a pool operation, so that Foundation's operations can
/// depend on it.
///
/// It finishes when the pool operation does, whether it is in a queue or not.
///
/// `@unchecked Sendable` like its superclass: its own state is behind a lock.
final class FoundationMirror: Foundation.Operation, @unchecked Sendable {
  private let standing: Mutex<Standing>

  private struct Standing {
    weak var original: PoolOperation?
    var hasBegun = false
    var hasEnded = false
    /// Operations that wait for this one; nil once they have been told of its end.
    var waiting: [ObjectIdentifier: Foundation.Operation]? = [:]
  }

  init(of original: PoolOperation, _ name: String) {
    standing = Mutex(Standing(original: original))
    super.init()
    self.name = name
  }

  /// The operation that it stands for; nil once that has ended.
  var original: PoolOperation? { standing.withLock { $0.hasEnded ? nil : $0.original } }

  override var isAsynchronous: Bool { true }
  override var isExecuting: Bool { standing.withLock { $0.hasBegun && !$0.hasEnded } }
  override var isFinished: Bool { standing.withLock { $0.hasEnded } }

  /// A Foundation queue starts it, which does nothing: the pool operation is executed by its own
  /// queue.
  override func start() {
    willChangeValue(forKey: "isExecuting")
    standing.withLock { $0.hasBegun = true }
    didChangeValue(forKey: "isExecuting")
  }

  /// Cancels the pool operation, too.
  override func cancel() {
    super.cancel()
    original?.cancel()
  }

  /// Keeps an operation that waits for this one alive until this one has told it of its end.
  ///
  /// Foundation on Linux has only a pointer to it, which it follows even if the operation was
  /// cancelled, has finished and is gone.
  func keep(_ waiting: Foundation.Operation) {
    standing.withLock { $0.waiting?[ObjectIdentifier(waiting)] = waiting }
  }

  /// The pool operation has ended; only the first call counts.
  func end(isCancelled: Bool) {
    guard !isFinished else { return }
    if isCancelled { super.cancel() }
    willChangeValue(forKey: "isExecuting")
    willChangeValue(forKey: "isFinished")
    standing.withLock { $0.hasEnded = true }
    didChangeValue(forKey: "isExecuting")
    didChangeValue(forKey: "isFinished")
    // Released after the lock.
    _ = standing.withLock { $0.waiting.take() }
  }
}

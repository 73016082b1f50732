import Foundation
import Synchronization

/// What Foundation's operations can depend on for one of ours.
///
/// It finishes when the operation does, in whatever queue it is, or in none.
///
/// `@unchecked Sendable` as its superclass is: what is stored is behind a lock.
final class FoundationMirror: Foundation.Operation, @unchecked Sendable {
  private let standing: Mutex<Standing>

  private struct Standing {
    weak var original: PoolOperation?
    var hasBegun = false
    var hasEnded = false
  }

  init(of original: PoolOperation, _ name: String) {
    standing = Mutex(Standing(original: original))
    super.init()
    self.name = name
  }

  /// The operation that it stands for, while that is to be waited for.
  var original: PoolOperation? { standing.withLock { $0.hasEnded ? nil : $0.original } }

  override var isAsynchronous: Bool { true }
  override var isExecuting: Bool { standing.withLock { $0.hasBegun && !$0.hasEnded } }
  override var isFinished: Bool { standing.withLock { $0.hasEnded } }

  /// A queue that it was added to has its turn for it: the operation is executed by its own.
  override func start() {
    willChangeValue(forKey: "isExecuting")
    standing.withLock { $0.hasBegun = true }
    didChangeValue(forKey: "isExecuting")
  }

  /// Cancels the operation, too.
  override func cancel() {
    super.cancel()
    original?.cancel()
  }

  /// The operation has ended; only the first time counts.
  func end(isCancelled: Bool) {
    guard !isFinished else { return }
    if isCancelled { super.cancel() }
    willChangeValue(forKey: "isExecuting")
    willChangeValue(forKey: "isFinished")
    standing.withLock { $0.hasEnded = true }
    didChangeValue(forKey: "isExecuting")
    didChangeValue(forKey: "isFinished")
  }
}

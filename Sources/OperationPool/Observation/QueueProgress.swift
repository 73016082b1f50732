import Foundation

/// How much of what was added to a queue has finished, whatever the way.
///
/// Foundation's own class is not safe to use from several threads on Linux; the two counts of this
/// one are. `@unchecked Sendable`: they are behind the lock.
final class QueueProgress: Progress, @unchecked Sendable {
  /// Recursive, because on Darwin observers are called within.
  private let lock = NSRecursiveLock()
  /// The first effect that tells an end which was not counted from the beginning.
  private let firstEffect: Int
  private var addedCount: Int64
  private var finishedCount: Int64 = 0
  /// Whether the user has set the total.
  private var isTotalChosen = false

  /// Makes a progress; `cancel` is called on some thread where it is cancelled, unless its user has
  /// chosen something else.
  init(addedCount: Int, firstEffect: Int, cancel: @escaping @Sendable () -> Void) {
    self.addedCount = Int64(addedCount)
    self.firstEffect = firstEffect
    super.init(parent: nil, userInfo: nil)
    super.totalUnitCount = Int64(addedCount)
    cancellationHandler = cancel
  }

  override var totalUnitCount: Int64 {
    get { lock.withLock { super.totalUnitCount } }
    set {
      lock.withLock {
        isTotalChosen = true
        super.totalUnitCount = newValue
      }
    }
  }

  override var completedUnitCount: Int64 {
    get { lock.withLock { super.completedUnitCount } }
    set { lock.withLock { super.completedUnitCount = newValue } }
  }

  /// Operations were added.
  func countAdded(_ count: Int) {
    lock.withLock {
      addedCount += Int64(count)
      update()
    }
  }

  /// An effect tells that an operation has finished.
  func countFinished(_ effect: Int) {
    guard effect >= firstEffect else { return }
    lock.withLock {
      finishedCount += 1
      update()
    }
  }

  /// What has finished was added, even if that is counted a moment later.
  private func update() {
    let total = max(addedCount, finishedCount)
    if !isTotalChosen, super.totalUnitCount != total { super.totalUnitCount = total }
    if super.completedUnitCount != finishedCount { super.completedUnitCount = finishedCount }
  }
}

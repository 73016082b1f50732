import Foundation

/// The number of a queue's operations that have finished, with any ending.
///
/// On Linux, Foundation's class is not thread-safe; the two counts of this one are. `@unchecked
/// Sendable`: they are behind the lock.
final class QueueProgress: Progress, @unchecked Sendable {
  /// Recursive, because on Darwin observers are called while it is held.
  private let lock = NSRecursiveLock()
  /// The first effect that reports an end not counted from the beginning.
  private let firstEffect: Int
  private var addedCount: Int64
  private var finishedCount: Int64 = 0
  /// The total that the user has set.
  private var chosenTotal: Int64?
  /// Whether more operations will be added, of a number that is not known.
  private let isOpen: @Sendable () -> Bool

  /// Makes a progress.
  ///
  /// When it is cancelled, it calls `cancel` on some thread, unless the user sets another handler.
  init(
    addedCount: Int,
    firstEffect: Int,
    isOpen: @escaping @Sendable () -> Bool,
    cancel: @escaping @Sendable () -> Void
  ) {
    self.addedCount = Int64(addedCount)
    self.firstEffect = firstEffect
    self.isOpen = isOpen
    super.init(parent: nil, userInfo: nil)
    cancellationHandler = cancel
    update()
  }

  override var totalUnitCount: Int64 {
    get { lock.withLock { super.totalUnitCount } }
    set {
      lock.withLock {
        chosenTotal = newValue
        update()
      }
    }
  }

  override var completedUnitCount: Int64 {
    get { lock.withLock { super.completedUnitCount } }
    set { lock.withLock { super.completedUnitCount = newValue } }
  }

  /// More operations are to be added, or no longer.
  func openChanged() { lock.withLock { update() } }

  /// Operations were added.
  func countAdded(_ count: Int) {
    lock.withLock {
      addedCount += Int64(count)
      update()
    }
  }

  /// An effect reports that an operation has finished.
  func countFinished(_ effect: Int) {
    guard effect >= firstEffect else { return }
    lock.withLock {
      finishedCount += 1
      update()
    }
  }

  /// A finished operation was also added, even if that is counted a moment later.
  private func update() {
    let total = total(of: max(addedCount, finishedCount))
    if super.totalUnitCount != total { super.totalUnitCount = total }
    if super.completedUnitCount != finishedCount { super.completedUnitCount = finishedCount }
  }

  /// The total for a number of operations: -1, which is indeterminate, while that number is not
  /// known.
  private func total(of count: Int64) -> Int64 {
    guard let chosenTotal else { return isOpen() ? -1 : count }
    return chosenTotal < 0 ? chosenTotal : max(chosenTotal, count)
  }
}

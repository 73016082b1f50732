import PoolModel

/// When a ready operation starts, as far as durations of others tell.
package struct ExpectedStart {
  /// What takes slots before the operation.
  package struct Work: Hashable, Sendable {
    /// Nanoseconds.
    package var time: Int64
    package var slots: Int

    package init(_ time: Int64, slots: Int = 1) { (self.time, self.slots) = (time, slots) }
  }

  /// The most operations in front of one that is told when it starts.
  package static let limit = 10_000

  /// When each slot is free, in nanoseconds from now; sorted.
  private var free: [Int64]

  /// Nanoseconds until the operation starts, which needs so many slots, behind what executes and
  /// what is ready before it.
  ///
  /// O(width) for each of them. Limits of resources and of starts are not counted.
  package static func time(
    behind executing: [Work],
    _ ready: [Work],
    slots: Int,
    width: Int
  ) -> Int64 {
    var start = Self(free: Array(repeating: 0, count: max(width, 1)))
    for work in executing { start.take(work, from: 0) }
    for work in ready { start.take(work, from: start.time(of: work.slots)) }
    return start.time(of: slots)
  }

  /// When so many slots are free.
  private func time(of slots: Int) -> Int64 { free[min(max(slots, 1), free.count) - 1] }

  /// Takes the slots that are free first.
  private mutating func take(_ work: Work, from start: Int64) {
    let count = min(max(work.slots, 1), free.count)
    free.removeFirst(count)
    let end = start.saturatingSum(work.time)
    let place = free.firstIndex { $0 > end } ?? free.count
    free.insert(contentsOf: repeatElement(end, count: count), at: place)
  }
}

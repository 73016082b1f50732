import PoolModel

/// The place of a ready operation in the order of dispatch: priority, then submission order.
///
/// Submission order is the final tie-break, so that no two operations are equal and every run of
/// the same events dispatches in the same order.
struct ReadyKey: Comparable {
  /// 0 for `veryHigh` to 4 for `veryLow`.
  var level: Int
  /// The position in the order of submission; within a batch that has ranks, in their order.
  var position: Int

  /// One number with the same order.
  var packed: UInt64 {
    UInt64(truncatingIfNeeded: level) << 56 | UInt64(truncatingIfNeeded: position)
  }

  static func < (left: Self, right: Self) -> Bool {
    (left.level, left.position) < (right.level, right.position)
  }
}

/// The ready operations of one kind, by priority, then in submission order.
///
/// Each level is a set of positions, so that becoming ready, leaving and finding the first take
/// constant time. With a heap, the first two would be logarithmic; a list would keep the order in
/// which operations became ready, but the contract promises submission order.
struct ReadyQueue {
  private var levels = Array(repeating: PositionSet<Int>(), count: PoolQueuePriority.allCases.count)

  /// One bit for each level that is not empty; the lowest bit is the first level's.
  private var occupied: UInt8 = 0

  /// Number of ready operations.
  private(set) var count = 0

  /// The first operation to dispatch.
  var first: ReadyKey? {
    guard occupied != 0 else { return nil }
    let level = occupied.trailingZeroBitCount
    return levels[level].first.map { ReadyKey(level: level, position: $0) }
  }

  /// The first operation behind one that is in the queue.
  func first(after key: ReadyKey) -> ReadyKey? {
    if let position = levels[key.level].first(after: key.position) {
      return ReadyKey(level: key.level, position: position)
    }
    let level = (occupied & ~1 << UInt8(key.level)).trailingZeroBitCount
    guard level < levels.count else { return nil }
    return levels[level].first.map { ReadyKey(level: level, position: $0) }
  }

  func contains(_ key: ReadyKey) -> Bool {
    levels[key.level].contains(key.position)
  }

  mutating func insert(_ key: ReadyKey) {
    levels[key.level].insert(key.position)
    occupied |= 1 << key.level
    count += 1
  }

  mutating func remove(_ key: ReadyKey) {
    levels[key.level].remove(key.position)
    if levels[key.level].isEmpty { occupied &= ~(1 << key.level) }
    count -= 1
  }

  mutating func removeAll() {
    for level in levels.indices { levels[level].removeAll() }
    occupied = 0
    count = 0
  }
}

import PoolModel

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

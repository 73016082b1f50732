/// A set of small whole numbers, or handles, that finds its smallest member in constant time.
///
/// A tree of fan-out 64: one bit for each number, and above each 64 words one word that says which
/// of them are not empty, up to a single word. Insertion, removal and the smallest member touch one
/// word of each level, four levels for sixteen million numbers. The tree covers a range that
/// follows the members: memory is a little more than two bits for each number between the smallest
/// and the largest that were members together.
struct PositionSet<Member: SlabHandle> {
  /// Number of members.
  private(set) var count = 0

  /// The words of all levels, the lowest first.
  private(set) var words: [UInt64] = []

  /// The number of the first bit, a multiple of 64.
  private var base = 0

  /// Where each level begins in `words`, the lowest first; the last level is one word.
  private var levels: [Int] = []

  var isEmpty: Bool { count == 0 }

  /// The smallest member, or nil.
  var first: Member? {
    guard count > 0 else { return nil }
    var index = 0
    var level = levels.count
    while level > 0 {
      level -= 1
      index = index << 6 | words[levels[level] + index].trailingZeroBitCount
    }
    return Member(base + index)
  }

  /// The smallest member that is larger than this one.
  func first(after member: Member) -> Member? {
    var index = member.offset - base
    for depth in levels.indices {
      let rest = words[levels[depth] + index >> 6] & (~1 << UInt64(index & 63))
      index >>= 6
      guard rest != 0 else { continue }
      index = index << 6 | rest.trailingZeroBitCount
      for level in levels[..<depth].reversed() {
        index = index << 6 | words[level + index].trailingZeroBitCount
      }
      return Member(base + index)
    }
    return nil
  }

  func contains(_ handle: Member) -> Bool {
    guard covers(handle) else { return false }
    let index = handle.offset - base
    return words[index >> 6] >> (index & 63) & 1 == 1
  }

  /// Adds a number that is not a member.
  mutating func insert(_ handle: Member) {
    if !covers(handle) { move(toCover: handle) }
    var index = handle.offset - base
    for depth in 0..<levels.count {
      let level = levels[depth]
      let bit = UInt64(1) << (index & 63)
      index >>= 6
      let before = words[level + index]
      words[level + index] = before | bit
      if before != 0 { break }
    }
    count += 1
  }

  /// Removes a member.
  mutating func remove(_ member: Member) {
    var index = member.offset - base
    for depth in 0..<levels.count {
      let level = levels[depth]
      let bit = UInt64(1) << (index & 63)
      index >>= 6
      words[level + index] &= ~bit
      if words[level + index] != 0 { break }
    }
    count -= 1
  }

  mutating func removeAll() {
    words.removeAll(keepingCapacity: true)
    levels.removeAll(keepingCapacity: true)
    count = 0
  }

  /// Number of words of the lowest level.
  private var width: Int { levels.count > 1 ? levels[1] : words.count }

  private func covers(_ member: Member) -> Bool {
    member.offset >= base && (member.offset - base) >> 6 < width
  }

  /// Extends the tree to cover a number as well as the members; amortised constant, if every number
  /// up to the largest is inserted into some set.
  ///
  /// An empty tree only moves, with the number in its middle. Otherwise a tree of at least twice
  /// the range is built, with the additional room on the side of the number.
  private mutating func move(toCover member: Member) {
    let word = member.offset >> 6
    guard count > 0, let first else {
      if words.isEmpty { rebuild([0]) }
      base = max(0, word - width / 2) << 6
      return
    }
    let old = first.offset >> 6...last >> 6
    let range = min(old.lowerBound, word)...max(old.upperBound, word)
    let start = word < old.lowerBound ? max(0, range.lowerBound - range.count) : range.lowerBound
    var lowest = [UInt64](repeating: 0, count: 2 * range.count)
    for word in old { lowest[word - start] = words[word - (base >> 6)] }
    base = start << 6
    rebuild(lowest)
  }

  /// The number of the largest member; the set must not be empty.
  private var last: Int {
    var index = 0
    for level in levels.reversed() {
      index = index << 6 | (63 - words[level + index].leadingZeroBitCount)
    }
    return base + index
  }

  /// Builds all levels above the lowest.
  private mutating func rebuild(_ lowest: [UInt64]) {
    words = lowest
    levels = [0]
    var below = words.indices
    while below.count > 1 {
      levels.append(words.count)
      let start = words.count
      for chunk in stride(from: below.lowerBound, to: below.upperBound, by: 64) {
        words.append(summary(of: chunk..<min(chunk + 64, below.upperBound)))
      }
      below = start..<words.count
    }
  }

  /// One bit for each word that is not empty.
  private func summary(of range: Range<Int>) -> UInt64 {
    range.reduce(0) { $0 | (words[$1] == 0 ? 0 : 1 << UInt64($1 - range.lowerBound)) }
  }
}

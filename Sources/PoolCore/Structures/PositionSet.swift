/// A set of small whole numbers, or handles, that gives its least member in constant time.
///
/// One bit a number, and above each 64 words of bits one word that says which of them are not
/// empty, up to a single word: a tree of fan-out 64. Insertion, removal and the least member each
/// touch one word a level, four levels for sixteen million numbers; memory is a bit and a sixtieth
/// for each number up to the capacity.
struct PositionSet<Member: SlabHandle> {
  /// How many members there are.
  private(set) var count = 0

  /// The words of all levels, the lowest first.
  private var words: [UInt64] = []

  /// Where each level begins in `words`, the lowest first; the last level is one word.
  private var levels: [Int] = []

  var isEmpty: Bool { count == 0 }

  /// The least member, or nil.
  var first: Member? {
    guard count > 0 else { return nil }
    var index = 0
    var level = levels.count
    while level > 0 {
      level -= 1
      index = index << 6 | words[levels[level] + index].trailingZeroBitCount
    }
    return Member(index)
  }

  func contains(_ handle: Member) -> Bool {
    let member = handle.offset
    guard let lowest = levels.first, member >> 6 < (levels.count > 1 ? levels[1] : words.count)
    else { return false }
    return words[lowest + member >> 6] >> (member & 63) & 1 == 1
  }

  /// Adds a number that is not a member.
  mutating func insert(_ handle: Member) {
    let member = handle.offset
    if member >= capacity { grow(toHold: member) }
    var index = member
    for place in 0..<levels.count {
      let level = levels[place]
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
    var index = member.offset
    for place in 0..<levels.count {
      let level = levels[place]
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

  /// One more than the largest number that fits.
  private var capacity: Int {
    guard levels.count > 1 else { return words.count << 6 }
    return levels[1] << 6
  }

  /// Rebuilds the tree with room for at least twice as many numbers; amortised constant.
  private mutating func grow(toHold member: Int) {
    let lowest = levels.isEmpty ? [] : Array(words[..<(capacity >> 6)])
    let wordCount = max(1, max(member >> 6 + 1, lowest.count * 2))
    words = lowest + repeatElement(0, count: wordCount - lowest.count)
    levels = [0]
    var below = 0..<wordCount
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

import PoolModel

/// What is kept of a worker's standard error: the beginning since its last answer, and the end.
///
/// The reason for a crash comes first, and a backtrace of any length follows it.
struct ErrorExcerpt {
  /// How much of each is kept: 4 KiB.
  static let limit = 4 << 10

  /// The first bytes since the last answer.
  private(set) var head: [UInt8] = []
  /// The first bytes between the two answers before them, if there were any.
  private(set) var earlierHead: [UInt8] = []
  /// The last bytes, whenever they came.
  private(set) var tail: [UInt8] = []
  /// Number of bytes since the last answer.
  private var count = 0

  mutating func append(_ bytes: some Collection<UInt8>) {
    head += bytes.prefix(Self.limit - head.count)
    tail = (tail + bytes).suffix(Self.limit)
    count += bytes.count
  }

  /// The worker has answered: what it wrote so far hardly explains how its next operation ends.
  ///
  /// It is kept until more has come: an answer may be read after what the next operation wrote.
  mutating func noteAnswer() {
    guard count > 0 else { return }
    earlierHead = head
    head = []
    count = 0
  }

  /// What is kept since the last answer; bytes may be missing in the middle.
  var sinceAnswer: [UInt8] {
    head + tail.suffix(min(count - head.count, Self.limit))
  }
}

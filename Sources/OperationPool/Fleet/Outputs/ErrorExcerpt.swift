import PoolModel

/// Keeps two excerpts of a worker's standard error: the start since its last answer, and the end.
///
/// The reason for a crash comes first, and a backtrace of any length follows it.
struct ErrorExcerpt {
  /// Maximum bytes of each excerpt: 4 KiB.
  static let limit = 4 << 10

  /// The first bytes since the last answer.
  private(set) var head: [UInt8] = []
  /// The first bytes between the two answers before, if there were any.
  private(set) var earlierHead: [UInt8] = []
  /// The last bytes, regardless of answers.
  private(set) var tail: [UInt8] = []
  /// Number of bytes since the last answer.
  private var count = 0

  mutating func append(_ bytes: some Collection<UInt8>) {
    head += bytes.prefix(Self.limit - head.count)
    tail = (tail + bytes).suffix(Self.limit)
    count += bytes.count
  }

  /// The worker has answered: its text so far hardly explains the end of its next operation.
  ///
  /// The old start is kept until more text comes, because the answer may be read after text of the
  /// next operation.
  mutating func noteAnswer() {
    guard count > 0 else { return }
    earlierHead = head
    head = []
    count = 0
  }

  /// The excerpt since the last answer; bytes may be missing in the middle.
  var sinceAnswer: [UInt8] {
    head + tail.suffix(min(count - head.count, Self.limit))
  }
}

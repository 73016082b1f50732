/// How much of the input waits to be executed, and whether more may be read.
package struct InputReadAhead {
  /// The numbers at which reading pauses, and those at which it goes on.
  package struct Limits: Sendable {
    package var count: Int
    package var byteCount: Int
    var lowCount: Int
    var lowByteCount: Int

    /// For lines: 10,000 operations, or 32 MiB of their inputs, and half of these.
    package static let lines = Self(
      count: 10_000,
      byteCount: 32 << 20,
      lowCount: 5_000,
      lowByteCount: 16 << 20
    )

    /// For inputs so large that reading goes on as soon as one operation has ended.
    package static func blocks(count: Int, byteCount: Int) -> Self {
      Self(count: count, byteCount: byteCount, lowCount: count - 1, lowByteCount: byteCount - 1)
    }
  }

  package var limits = Limits.lines
  /// Number of operations that were submitted and have not settled.
  package private(set) var count = 0
  /// Number of bytes of their inputs.
  package private(set) var byteCount = 0

  package init() {}

  package var isFull: Bool { count >= limits.count || byteCount >= limits.byteCount }

  package mutating func add(_ count: Int, byteCount: Int) {
    self.count += count
    self.byteCount += byteCount
  }

  /// An operation has settled; returns whether reading may go on because of that.
  package mutating func remove(byteCount: Int) -> Bool {
    let before = self
    count -= 1
    self.byteCount -= byteCount
    return before.count > limits.lowCount && count <= limits.lowCount
      || before.byteCount > limits.lowByteCount && self.byteCount <= limits.lowByteCount
  }
}

/// Decides where the blocks of a stream end.
///
/// A block ends at its last boundary within the wanted size. A longer record makes its block
/// longer. The rest at the end of the stream is a block, too.
package struct BlockCutter: Sendable {
  /// What a block is.
  package enum Rule: Hashable, Sendable {
    /// At most this number of bytes, unless a single record is longer.
    case bytes(Int)
    /// So many records.
    case records(Int)
  }

  private let rule: Rule
  private let boundary: RecordBoundary
  /// Where the search goes on, if it has begun: no text of a boundary begins before that.
  private var next: Int?
  /// Number of records of this block so far, and their end.
  private var count = 0
  private var end = 0

  package init(_ rule: Rule, at boundary: RecordBoundary) {
    self.rule = rule
    self.boundary = boundary
  }

  /// The length of the next block, given the bytes from its start on; nil if it takes more bytes
  /// to tell.
  ///
  /// At the end of the stream there is always an answer: 0 if nothing is left.
  package mutating func cut(_ bytes: UnsafeRawBufferPointer, isEnd: Bool) -> Int? {
    let length =
      switch rule {
      case .bytes(let size): cut(bytes, at: size, isEnd: isEnd)
      case .records(let wanted): cut(bytes, records: wanted)
      }
    guard length != nil || isEnd else { return nil }
    (next, count, end) = (nil, 0, 0)
    return length ?? bytes.count
  }

  /// Number of bytes to read before the next call, given that this many were not enough.
  package func wanted(beyond present: Int) -> Int {
    switch rule {
    case .bytes(let size):
      present < lead(of: size) ? lead(of: size) : present + max(size, present)
    case .records: present + max(64 << 10, present)
    }
  }

  /// A block of this size ends within this many bytes, or contains a longer record.
  private func lead(of size: Int) -> Int { size + max(boundary.startCount, 1) }

  private mutating func cut(
    _ bytes: UnsafeRawBufferPointer,
    at size: Int,
    isEnd: Bool
  ) -> Int? {
    guard bytes.count > size, isEnd || bytes.count >= lead(of: size) else { return nil }
    if next == nil {
      if let end = boundary.last(through: size, in: bytes) { return end }
      next = boundary.firstText(behind: size)
    }
    return search(bytes)
  }

  private mutating func cut(_ bytes: UnsafeRawBufferPointer, records wanted: Int) -> Int? {
    while count < wanted {
      guard let end = search(bytes) else { return nil }
      (count, self.end) = (count + 1, end)
      // The text of the next boundary begins after this one.
      next = boundary.endCount > 0 ? end : end + 1
    }
    return end
  }

  /// The first boundary from the current position of the search on.
  private mutating func search(_ bytes: UnsafeRawBufferPointer) -> Int? {
    let start = next ?? boundary.firstText(behind: 0)
    if let end = boundary.first(from: start, in: bytes) { return end }
    next = max(start, bytes.count - boundary.pattern.count + 1)
    return nil
  }
}

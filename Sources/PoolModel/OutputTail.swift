/// How much is wanted of what an executing operation has written so far.
package struct TailRequest: Hashable, Sendable {
  /// The most bytes of each output that are given at once: 64 KiB.
  package static let limit = 64 << 10

  /// The most bytes of each output.
  package let byteCount: Int
  /// The bytes of the output, and of the error output, that the asker has; nil for the last ones.
  package let output: Int64?
  package let error: Int64?

  /// Asks for at most that many bytes, from 0 to ``limit``.
  package init(byteCount: Int = Self.limit, output: Int64? = nil, error: Int64? = nil) {
    self.byteCount = min(max(byteCount, 0), Self.limit)
    (self.output, self.error) = (output, error)
  }

  /// The part of an output with so many bytes that is wanted.
  package static func range(_ byteCount: Int, from offset: Int64?, of count: Int64) -> Range<Int64>
  {
    let start = min(max(offset ?? count - Int64(byteCount), 0), count)
    return start..<min(start + Int64(byteCount), count)
  }
}

/// A piece of what an executing operation has written so far.
package struct WrittenPiece: Hashable, Sendable {
  package var bytes: [UInt8]
  /// Number of bytes of the output up to the end of the piece.
  package var end: Int64

  package init(_ bytes: [UInt8] = [], end: Int64 = 0) {
    (self.bytes, self.end) = (bytes, end)
  }
}

/// What an executing operation has written so far, or pieces of it.
package struct WrittenOutputs: Hashable, Sendable {
  package var output: WrittenPiece
  package var error: WrittenPiece

  package init(output: WrittenPiece = WrittenPiece(), error: WrittenPiece = WrittenPiece()) {
    (self.output, self.error) = (output, error)
  }
}

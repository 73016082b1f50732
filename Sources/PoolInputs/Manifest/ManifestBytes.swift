import PoolWire

/// The borrowed text of a manifest, and the strings in it that rows point to.
struct ManifestBytes {
  let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  func line(of row: ManifestRow) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[row.start..<row.start + Int(row.length)])
  }

  /// Passes the identifier of a row to the closure; without one, its line number in decimal digits.
  @inline(__always)
  func withIdentifier<Value>(
    of row: ManifestRow,
    _ body: (UnsafeBufferPointer<UInt8>) -> Value
  ) -> Value {
    row.id.isNone ? Self.withDigits(of: row.line, body) : withContent(of: row.id, in: row, body)
  }

  /// Passes the content of a string of a row's line to the closure.
  @inline(__always)
  func withContent<Value>(
    of span: TextSpan,
    in row: ManifestRow,
    _ body: (UnsafeBufferPointer<UInt8>) -> Value
  ) -> Value {
    if span.hasEscapes { return resolved(span, in: row).withUnsafeBufferPointer(body) }
    let start = row.start + span.range.lowerBound
    let content = UnsafeRawBufferPointer(rebasing: bytes[start..<start + span.range.count])
    return body(content.assumingMemoryBound(to: UInt8.self))
  }

  /// The content of a string with escapes: the rare case, and the only one that copies.
  private func resolved(_ span: TextSpan, in row: ManifestRow) -> [UInt8] {
    let start = row.start + span.range.lowerBound - 1
    let quoted = UnsafeRawBufferPointer(rebasing: bytes[start..<start + span.range.count + 2])
    var scanner = JSONScanner(quoted)
    guard let string = try? scanner.scanString() else {
      preconditionFailure("a string that was checked is none any more")
    }
    return scanner.content(of: string)
  }

  private static func withDigits<Value>(
    of number: UInt32,
    _ body: (UnsafeBufferPointer<UInt8>) -> Value
  ) -> Value {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 10) { digits in
      var start = digits.count
      var rest = number
      repeat {
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      } while rest > 0
      return body(UnsafeBufferPointer(rebasing: digits[start...]))
    }
  }

  /// Offset of the next line feed, or the end.
  func endOfLine(from start: Int) -> Int {
    var position = start
    while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
    return position
  }

  /// The first byte of a line that is not a blank; nil if there is none.
  static func firstByte(of line: UnsafeRawBufferPointer) -> UInt8? {
    line.first { byte in
      byte != UInt8(ascii: " ") && byte != UInt8(ascii: "\t") && byte != UInt8(ascii: "\r")
    }
  }
}

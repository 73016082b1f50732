/// A line of text that a worker has printed.
struct PrintedLine: Hashable, Sendable {
  /// The line without its end; only the start if it is too long.
  let bytes: [UInt8]
  /// Number of bytes left out.
  let omittedCount: Int
}

/// Divides text into lines, and truncates those that are too long.
struct LineCutter {
  /// The longest line that is not truncated: 16 KiB.
  static let limit = 16 << 10

  private var line: [UInt8] = []
  private var omittedCount = 0

  /// Whether a line is unfinished.
  var isWithinLine: Bool { !line.isEmpty || omittedCount > 0 }

  /// The lines that end within a piece of text.
  mutating func cut(_ text: [UInt8]) -> [PrintedLine] {
    var lines: [PrintedLine] = []
    var rest = text[...]
    while let end = rest.firstIndex(of: 0x0A) {
      append(rest[..<end])
      lines.append(takeLine())
      rest = rest[(end + 1)...]
    }
    append(rest)
    return lines
  }

  /// The unfinished line, if there is one.
  mutating func end() -> PrintedLine? {
    isWithinLine ? takeLine() : nil
  }

  private mutating func append(_ part: ArraySlice<UInt8>) {
    let kept = part.prefix(Self.limit - line.count)
    line += kept
    omittedCount += part.count - kept.count
  }

  private mutating func takeLine() -> PrintedLine {
    defer { (line, omittedCount) = ([], 0) }
    if line.last == 0x0D, omittedCount == 0 { line.removeLast() }
    return PrintedLine(bytes: line, omittedCount: omittedCount)
  }
}

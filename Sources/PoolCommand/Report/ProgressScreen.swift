/// What a terminal is sent so that a line comes and goes there, and nothing else is touched.
///
/// The line stands where the cursor is, or, where that is behind a text without a line feed, in the
/// row below; what is written next goes on behind that text as if there had been no line.
struct ProgressScreen {
  private enum Place {
    case nowhere
    /// In the cursor's row, which is otherwise empty.
    case row
    /// In the row below the cursor's.
    case below
  }

  private var place = Place.nowhere
  private var partial = PartialLine()

  /// Whether the cursor stands behind a text without a line feed.
  var isWithinLine: Bool { !partial.isEmpty }

  var isShown: Bool { place != .nowhere }

  /// The bytes that draw the line, or draw it anew; it must be shorter than the terminal is wide.
  mutating func draw(_ line: String, columns: Int) -> [UInt8] {
    guard isWithinLine else {
      place = .row
      return Array(("\r" + Escape.clearLine + line).utf8)
    }
    guard partial.isBehindText(columns: columns) else { return clear() }
    place = .below
    return Array(
      (Escape.makeRowBelow + Escape.saveCursor + Escape.noColor + Escape.down + "\r" + line
        + Escape.clearLine + Escape.restoreCursor).utf8
    )
  }

  /// The bytes that remove the line, before anything else is written.
  mutating func clear() -> [UInt8] {
    defer { place = .nowhere }
    switch place {
    case .nowhere: return []
    case .row: return Array(("\r" + Escape.clearLine).utf8)
    case .below: return Array(Escape.clearBelow.utf8)
    }
  }

  /// Takes in what was written next, or the last ``PartialLine/limit`` bytes of it.
  mutating func wrote(_ text: UnsafeRawBufferPointer) {
    partial.add(text)
  }
}

/// What terminals understand since the VT100.
private enum Escape {
  static let clearLine = "\u{1B}[K"
  static let clearBelow = "\u{1B}[J"
  static let noColor = "\u{1B}[m"
  static let saveCursor = "\u{1B}7"
  static let restoreCursor = "\u{1B}8"
  /// One row down in the same column; in the last row all is moved up instead.
  static let down = "\u{1B}D"
  static let up = "\u{1B}M"
  static let makeRowBelow = down + up
}

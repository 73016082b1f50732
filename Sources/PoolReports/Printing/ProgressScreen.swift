import PoolText

/// The bytes that draw and remove a progress line on a terminal, without a change to other text.
///
/// The line is in the cursor's row, or, if that row has a text without a line feed, in the row
/// below. The next output continues that text as if there were no progress line.
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

  /// Whether the cursor is behind a text without a line feed.
  var isWithinLine: Bool { !partial.isEmpty }

  var isShown: Bool { place != .nowhere }

  /// Returns the bytes that draw the line, or redraw it; it must be shorter than the terminal's
  /// width.
  ///
  /// The cursor stays before the line. A terminal that has become narrower may continue the line in
  /// further rows; they are below the cursor, where the next drawing and ``clear()`` erase them.
  mutating func draw(_ line: String, columns: Int) -> [UInt8] {
    guard isWithinLine else {
      place = .row
      return Array(("\r" + Escape.clearBelow + line + "\r").utf8)
    }
    guard partial.isBehindText(columns: columns) else { return clear() }
    place = .below
    return Array(
      (Escape.makeRowBelow + Escape.saveCursor + Escape.noColor + Escape.down + "\r" + line
        + Escape.clearBelow + Escape.restoreCursor).utf8
    )
  }

  /// Returns the bytes that remove the line; call it before other output.
  mutating func clear() -> [UInt8] {
    defer { place = .nowhere }
    switch place {
    case .nowhere: return []
    case .row: return Array(("\r" + Escape.clearBelow).utf8)
    case .below: return Array(Escape.clearBelow.utf8)
    }
  }

  /// Returns the bytes that remove the line, write a text, and draw the line below the text.
  ///
  /// Without a line, nothing is drawn.
  mutating func frame(
    around text: UnsafeRawBufferPointer,
    _ line: String?,
    columns: Int
  ) -> [UInt8] {
    var bytes = clear()
    bytes += text
    wrote(text)
    if let line { bytes += draw(line, columns: columns) }
    return bytes
  }

  /// Notes output, or its last ``PartialLine/limit`` bytes.
  mutating func wrote(_ text: UnsafeRawBufferPointer) {
    partial.add(text)
  }
}

/// Escape sequences of the VT100.
private enum Escape {
  static let clearBelow = "\u{1B}[J"
  static let noColor = "\u{1B}[m"
  static let saveCursor = "\u{1B}7"
  static let restoreCursor = "\u{1B}8"
  /// One row down in the same column; scrolls in the last row.
  static let down = "\u{1B}D"
  static let up = "\u{1B}M"
  static let makeRowBelow = down + up
}

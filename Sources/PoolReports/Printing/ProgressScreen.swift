import PoolText

/// The bytes that draw and remove lines of progress on a terminal, without a change to other text.
///
/// The first line is in the cursor's row, or, if that row has a text without a line feed, in the
/// row below. The next output continues that text as if there were no such lines. The cursor stays
/// before the first line. A terminal that has become narrower may continue lines in further rows;
/// they are below the cursor, where the next drawing and ``clear()`` erase them.
struct ProgressScreen {
  private enum Place {
    case nowhere
    /// From the cursor's row on, which is otherwise empty.
    case row
    /// From the row below the cursor's on.
    case below
  }

  private var place = Place.nowhere
  private var partial = PartialLine()
  /// The lines that are there, and the columns of the terminal when they were drawn.
  private var shown: [String] = []
  private var columns = 0

  /// Whether the cursor is behind a text without a line feed.
  var isWithinLine: Bool { !partial.isEmpty }

  var isShown: Bool { place != .nowhere }

  /// Returns the bytes that show these lines: of lines that are there already, those that change.
  mutating func show(_ lines: [String], columns: Int) -> [UInt8] {
    guard isShown, columns == self.columns else { return draw(lines, columns: columns) }
    if lines == shown { return [] }
    guard place == .row else { return draw(lines, columns: columns) }
    defer { shown = lines }
    return Array(Self.change(shown, to: lines).utf8)
  }

  /// Returns the bytes that draw all lines; each must be shorter than the terminal's width.
  mutating func draw(_ lines: [String], columns: Int) -> [UInt8] {
    guard isWithinLine else {
      note(lines, .row, columns)
      let text = lines.joined(separator: "\r\n") + Escape.up(lines.count - 1)
      return Array(("\r" + Escape.clearBelow + text + "\r").utf8)
    }
    guard partial.isBehindText(columns: columns) else { return clear() }
    note(lines, .below, columns)
    let rows =
      String(repeating: Escape.index, count: lines.count)
      + String(repeating: Escape.reverseIndex, count: lines.count)
    let text = lines.joined(separator: Escape.clearRight + "\r\n")
    return Array(
      (rows + Escape.saveCursor + Escape.noColor + Escape.index + "\r" + text
        + Escape.clearBelow + Escape.restoreCursor).utf8
    )
  }

  /// Returns the bytes that remove the lines; call it before other output.
  mutating func clear() -> [UInt8] {
    defer { note([], .nowhere, columns) }
    switch place {
    case .nowhere: return []
    case .row: return Array(("\r" + Escape.clearBelow).utf8)
    case .below: return Array(Escape.clearBelow.utf8)
    }
  }

  /// Returns the bytes that remove the lines, write a text, and draw lines below the text.
  ///
  /// Without lines, nothing is drawn.
  mutating func frame(
    around text: UnsafeRawBufferPointer,
    _ lines: [String]?,
    columns: Int
  ) -> [UInt8] {
    var bytes = clear()
    bytes += text
    wrote(text)
    if let lines { bytes += draw(lines, columns: columns) }
    return bytes
  }

  /// Notes output, or its last ``PartialLine/limit`` bytes.
  mutating func wrote(_ text: UnsafeRawBufferPointer) {
    partial.add(text)
  }

  private mutating func note(_ lines: [String], _ place: Place, _ columns: Int) {
    (shown, self.place, self.columns) = (lines, place, columns)
  }

  /// The text that makes lines others, from the first row of the old ones and back to it.
  private static func change(_ old: [String], to new: [String]) -> String {
    var text = ""
    var row = 0
    for (index, line) in new.enumerated() {
      if index < old.count, line == old[index] { continue }
      // Only a line feed makes a new row in the last one of the terminal.
      let reached = min(index, old.count - 1)
      text += Escape.down(max(reached - row, 0))
      text += String(repeating: "\n", count: index - max(reached, row))
      text += "\r" + line + Escape.clearRight
      row = index
    }
    if new.count < old.count {
      text += Escape.down(new.count - row) + "\r" + Escape.clearBelow
      row = new.count
    }
    return text + Escape.up(row) + "\r"
  }
}

/// Escape sequences of the VT100.
private enum Escape {
  static let clearBelow = "\u{1B}[J"
  static let clearRight = "\u{1B}[K"
  static let noColor = "\u{1B}[m"
  static let saveCursor = "\u{1B}7"
  static let restoreCursor = "\u{1B}8"
  /// One row down in the same column; scrolls in the last row.
  static let index = "\u{1B}D"
  static let reverseIndex = "\u{1B}M"

  /// Rows up in the same column; empty for none.
  static func up(_ count: Int) -> String { count > 0 ? "\u{1B}[\(count)A" : "" }

  /// Rows down in the same column, not beyond the last one; empty for none.
  static func down(_ count: Int) -> String { count > 0 ? "\u{1B}[\(count)B" : "" }
}

/// What a small terminal shows of the bytes that it was sent: text, line feeds, carriage returns,
/// and the few escape sequences that the progress line and plain colours need.
///
/// As terminals do, it goes to the next line only with the character that follows the last column.
public struct ScreenModel {
  /// The rows from the top, as long as they are; those that scrolled away are in ``history``.
  public private(set) var rows: [[Character]]
  /// The lines that scrolled away, the oldest first.
  public private(set) var history: [String] = []

  private struct Cursor {
    var row = 0
    var column = 0
    var isPastEnd = false
  }

  private var columns: Int
  private var cursor = Cursor()
  private var saved = Cursor()
  private var pending = ""

  /// An empty screen.
  public init(columns: Int = 80, rows: Int = 24) {
    self.columns = columns
    self.rows = Array(repeating: [], count: rows)
  }

  /// What is to be read, without empty lines at the end and blanks at the ends of lines.
  public var lines: [String] {
    var lines = history + rows.map { Self.trimmed($0) }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  /// All lines, without empty ones at the end, joined by line feeds.
  public var text: String { lines.joined(separator: "\n") }

  /// Takes in what was sent next; a sequence may be cut anywhere.
  public mutating func receive(_ text: String) {
    for scalar in text.unicodeScalars { receive(scalar) }
  }

  /// Makes the terminal narrower: it cuts its rows, or continues them in further rows, as long as
  /// those fit.
  public mutating func narrow(to columns: Int, continuesRows: Bool) {
    self.columns = columns
    cursor.column = continuesRows ? cursor.column : min(cursor.column, columns - 1)
    guard continuesRows else {
      rows = rows.map { Array($0.prefix(columns)) }
      return
    }
    let count = rows.count
    var place = cursor
    var narrow: [[Character]] = []
    for (index, row) in rows.enumerated() {
      if index == cursor.row { place.row = narrow.count + cursor.column / columns }
      for start in stride(from: 0, to: max(row.count, 1), by: columns) {
        narrow.append(Array(row.dropFirst(start).prefix(columns)))
      }
    }
    place.column = cursor.column % columns
    while narrow.count > count, narrow.last?.isEmpty == true { narrow.removeLast() }
    (rows, cursor) = (narrow, place)
  }

  private mutating func receive(_ scalar: Unicode.Scalar) {
    if !pending.isEmpty || scalar == "\u{1B}" {
      pending.unicodeScalars.append(scalar)
      if isComplete(pending) {
        perform(pending.dropFirst())
        pending = ""
      }
    } else if scalar == "\r" {
      (cursor.column, cursor.isPastEnd) = (0, false)
    } else if scalar == "\n" {
      goDown()
    } else {
      put(Character(scalar))
    }
  }

  private func isComplete(_ sequence: String) -> Bool {
    guard sequence.count > 1, let last = sequence.unicodeScalars.last else { return false }
    switch sequence.dropFirst().first {
    case "[": return last != "[" && last.value >= 0x40
    case "]": return sequence.hasSuffix("\u{1B}\\") || last == "\u{7}"
    default: return true
    }
  }

  private mutating func perform(_ sequence: Substring) {
    switch sequence {
    case "[K": erase(fromColumn: cursor.column)
    case "[J":
      erase(fromColumn: cursor.column)
      for row in rows.indices where row > cursor.row { rows[row] = [] }
    case "7": saved = cursor
    case "8": cursor = saved
    case "D": goDown()
    case "M": (cursor.row, cursor.isPastEnd) = (max(cursor.row - 1, 0), false)
    case "[?2026h", "[?2026l": break
    case _ where sequence.hasSuffix("A"): move(by: -(Int(sequence.dropFirst().dropLast()) ?? 1))
    case _ where sequence.hasSuffix("B"): move(by: Int(sequence.dropFirst().dropLast()) ?? 1)
    case _ where sequence.hasPrefix("]"): break
    case _ where sequence.hasSuffix("m"): break
    default: put("?")
    }
  }

  private mutating func move(by count: Int) {
    cursor.row = min(max(cursor.row + count, 0), rows.count - 1)
    cursor.isPastEnd = false
  }

  private mutating func erase(fromColumn column: Int) {
    rows[cursor.row] = Array(rows[cursor.row].prefix(column))
  }

  private mutating func goDown() {
    cursor.isPastEnd = false
    if cursor.row + 1 < rows.count {
      cursor.row += 1
    } else {
      history.append(Self.trimmed(rows.removeFirst()))
      rows.append([])
    }
  }

  private mutating func put(_ character: Character) {
    if cursor.isPastEnd {
      cursor.column = 0
      goDown()
    }
    let missing = cursor.column - rows[cursor.row].count
    if missing > 0 { rows[cursor.row] += Array(repeating: " ", count: missing) }
    if cursor.column < rows[cursor.row].count {
      rows[cursor.row][cursor.column] = character
    } else {
      rows[cursor.row].append(character)
    }
    if cursor.column + 1 < columns { cursor.column += 1 } else { cursor.isPastEnd = true }
  }

  private static func trimmed(_ row: [Character]) -> String {
    var row = row
    while row.last == " " { row.removeLast() }
    return String(row)
  }
}

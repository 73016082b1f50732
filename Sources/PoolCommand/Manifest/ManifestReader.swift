import PoolCore
import PoolModel
import PoolWire

extension Manifest {
  /// Reads and checks a whole manifest; linear in its bytes.
  ///
  /// It throws all that is wrong at once: first what is wrong with lines and identifiers, then,
  /// where every line could be read, dependencies, then cycles.
  package init(
    _ text: [UInt8],
    lineLimit: Int = Manifest.lineLimit
  ) throws(ManifestErrors) {
    var reader = ManifestReader(lineLimit: lineLimit)
    let graph = text.withUnsafeBytes { reader.graph(of: ManifestText($0)) }
    guard let graph else { throw reader.errors }
    self.text = text
    rows = reader.rows
    kinds = reader.tables.kinds
    extras = reader.tables.extras
    (dependencies, requirements, order) = graph
  }
}

/// The first pass over a manifest: every line becomes a row, or an error.
struct ManifestReader {
  let lineLimit: Int
  private(set) var rows: [ManifestRow] = []
  /// For each row and one more, where its references begin.
  private(set) var referenceStarts: [UInt32] = [0]
  var tables = ManifestTables()
  var errors = ManifestErrors()
  /// Whether a line could not be read, so that an identifier may be missing for that reason.
  private(set) var hasUnreadLines = false

  init(lineLimit: Int) {
    self.lineLimit = lineLimit
  }

  /// Reads all lines, and finds what the operations wait for; nil, with errors, where something
  /// is wrong.
  mutating func graph(
    of text: ManifestText
  ) -> (DependencyRows, [PoolRequirement], DependencyOrder)? {
    read(text)
    var resolver = DependencyResolver(self, in: text)
    resolver.resolve(&self)
    guard errors.isEmpty, let order = resolver.order(&self) else { return nil }
    return (resolver.dependencies, resolver.requirements, order)
  }

  private mutating func read(_ text: ManifestText) {
    reserve(text)
    var position = Self.byteOrderMarkLength(text.bytes)
    var line: UInt32 = 0
    while position < text.bytes.count {
      line += 1
      let end = text.endOfLine(from: position)
      readLine(UnsafeRawBufferPointer(rebasing: text.bytes[position..<end]), line, at: position)
      position = end + 1
    }
  }

  /// Room for all rows at once, so that growing does not need it twice over.
  ///
  /// The shortest operation has 13 bytes and its line's end.
  private mutating func reserve(_ text: ManifestText) {
    let feeds = text.bytes.count { $0 == UInt8(ascii: "\n") }
    let limit = min(feeds, text.bytes.count / 14) + 1
    rows.reserveCapacity(limit)
    referenceStarts.reserveCapacity(limit + 1)
  }

  private static func byteOrderMarkLength(_ bytes: UnsafeRawBufferPointer) -> Int {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  private mutating func readLine(_ bytes: UnsafeRawBufferPointer, _ line: UInt32, at start: Int) {
    // First of all: of such a line there may be only the beginning, and nothing of what follows.
    if bytes.count > lineLimit {
      hasUnreadLines = true
      return note(
        line,
        "it has more than \(lineLimit) bytes, which no operation may have; "
          + "give what is long in files"
      )
    }
    guard let first = ManifestText.firstByte(of: bytes) else { return }
    if first == UInt8(ascii: "#") {
      if !UTF8Check.isValid(bytes.assumingMemoryBound(to: UInt8.self)) {
        note(line, "a comment with bytes that are not UTF-8")
      }
      return
    }
    readOperation(
      bytes,
      ManifestRow(start: start, length: UInt32(bytes.count), line: line)
    )
  }

  private mutating func readOperation(_ bytes: UnsafeRawBufferPointer, _ row: ManifestRow) {
    var reader = LineReader(bytes, row: row)
    do {
      try reader.read(into: &tables)
    } catch {
      hasUnreadLines = true
      let excess = tables.references.count - Int(referenceStarts[rows.count])
      tables.references.removeLast(excess)
      tables.extras.abandonRow()
      return note(row.line, LineSyntax.message(error, in: bytes))
    }
    for (field, message) in reader.errors { note(row.line, message, field: field) }
    if reader.hasExtras { tables.extras.endRow(of: rows.count, reader.row) }
    rows.append(reader.row)
    referenceStarts.append(UInt32(tables.references.count))
  }

  private mutating func note(_ line: UInt32, _ message: String, field: String? = nil) {
    errors.append(ManifestError(line: Int(line), field: field, message: message))
  }

  mutating func note(_ row: Int, _ field: ManifestField, _ message: String) {
    note(rows[row].line, message, field: field.name)
  }
}

/// Words for a line that is not JSON.
enum LineSyntax {
  /// What is wrong, and in which column, counted in characters from 1.
  static func message(_ error: JSONError, in line: UnsafeRawBufferPointer) -> String {
    let bytes = line.assumingMemoryBound(to: UInt8.self)
    let before = bytes[..<min(error.offset, bytes.count)]
    let column = before.count { $0 & 0xC0 != 0x80 } + 1
    let reason = UTF8Check.isValid(bytes) ? error.reason : .invalidUTF8
    return "column \(column): \(reason)"
  }
}

import PoolCore
import PoolModel
import PoolText
import PoolWire

extension Manifest {
  /// Reads and checks a whole manifest; linear in its bytes.
  ///
  /// It throws all errors at once: first those of lines and identifiers; if every line could be
  /// read, then those of dependencies, and then cycles.
  package init(
    _ text: [UInt8],
    lineLimit: Int = Manifest.lineLimit
  ) throws(ManifestErrors) {
    var reader = ManifestReader(lineLimit: lineLimit)
    let graph = text.withUnsafeBytes { reader.graph(of: ManifestBytes($0)) }
    guard let graph else { throw reader.errors }
    self.text = text
    rows = reader.rows
    kindTable = reader.tables.kinds
    extras = reader.tables.extras
    (dependencies, requirements, order) = graph
  }
}

/// The first pass over a manifest: each line becomes a row or an error.
struct ManifestReader {
  let lineLimit: Int
  private(set) var rows: [ManifestRow] = []
  /// Where each row's references begin, and at the end where the last ones end.
  private(set) var referenceStarts: [UInt32] = [0]
  var tables = ManifestTables()
  var errors = ManifestErrors()
  /// Whether a line could not be read, which may be why an identifier is missing.
  private(set) var hasUnreadLines = false

  init(lineLimit: Int) {
    self.lineLimit = lineLimit
  }

  /// Reads all lines, and resolves the dependencies; nil if there are errors.
  mutating func graph(
    of text: ManifestBytes
  ) -> (DependencyRows, [PoolRequirement], DependencyOrder)? {
    read(text)
    var resolver = DependencyResolver(self, in: text)
    resolver.resolve(&self)
    guard errors.isEmpty, let order = resolver.order(&self) else { return nil }
    return (resolver.dependencies, resolver.requirements, order)
  }

  private mutating func read(_ text: ManifestBytes) {
    reserve(text)
    var position = ByteOrderMark.count(in: text.bytes)
    var line: UInt32 = 0
    while position < text.bytes.count {
      line += 1
      let end = text.endOfLine(from: position)
      readLine(UnsafeRawBufferPointer(rebasing: text.bytes[position..<end]), line, at: position)
      position = end + 1
    }
  }

  /// Reserves room for all rows, so that the table does not exist twice while it grows.
  ///
  /// The shortest operation has 13 bytes and a line feed.
  private mutating func reserve(_ text: ManifestBytes) {
    let feeds = text.bytes.count { $0 == UInt8(ascii: "\n") }
    let limit = min(feeds, text.bytes.count / 14) + 1
    rows.reserveCapacity(limit)
    referenceStarts.reserveCapacity(limit + 1)
  }

  private mutating func readLine(_ bytes: UnsafeRawBufferPointer, _ line: UInt32, at start: Int) {
    switch LineContent(bytes, lineLimit: lineLimit) {
    case .nothing: break
    case .excessive(let message):
      hasUnreadLines = true
      note(line, message)
    case .invalidComment(let message): note(line, message)
    case .operation:
      readOperation(
        bytes,
        ManifestRow(start: start, length: UInt32(bytes.count), line: line)
      )
    }
  }

  private mutating func readOperation(_ bytes: UnsafeRawBufferPointer, _ row: ManifestRow) {
    var reader = ManifestLineParser(bytes, row: row)
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

/// Messages for a line that is not JSON.
enum LineSyntax {
  /// The message with the column, counted in characters from 1.
  static func message(_ error: JSONError, in line: UnsafeRawBufferPointer) -> String {
    let bytes = line.assumingMemoryBound(to: UInt8.self)
    let before = bytes[..<min(error.offset, bytes.count)]
    let column = before.count { $0 & 0xC0 != 0x80 } + 1
    let reason = UTF8Check.isValid(bytes) ? error.reason : .invalidUTF8
    return "column \(column): \(reason)"
  }
}

package import PoolModel
import PoolText
import PoolWire

/// The lines of a manifest that come one by one: each is checked alone, and may name earlier ones.
///
/// Pure: it is given lines, and tells which operations they are.
package struct StreamedLines: Sendable {
  private let lineLimit: Int
  private let shell: [UInt8]?
  /// Whether only commands are served, so that another kind is an error.
  private let servesOnlyCommands: Bool
  private var lineCount: UInt32 = 0
  /// What the lines so far have named; of the lists in it, those of one line.
  private var tables = ManifestTables()
  private(set) var names = StreamedNames()
  private var operations: [StreamedLine?] = []
  /// The kind of each operation, which the forecast asks for after its end.
  private var kindIndices: [UInt16] = []

  package init(shell: [UInt8]?, servesOnlyCommands: Bool, lineLimit: Int = Manifest.lineLimit) {
    (self.shell, self.servesOnlyCommands, self.lineLimit) = (shell, servesOnlyCommands, lineLimit)
  }

  /// Number of operations.
  package var count: Int { operations.count }

  package var kinds: [ConstrainedKind] { tables.kinds.names }

  package func kindIndex(of operation: Int) -> Int { Int(kindIndices[operation]) }

  package var resources: ManifestResources { tables.extras.resources }

  /// The operation of a number; nil after its end.
  package subscript(operation: Int) -> StreamedLine? { operations[operation] }

  /// An operation has ended; returns the size of its text.
  package mutating func release(_ operation: Int) -> Int {
    defer { operations[operation] = nil }
    return operations[operation]?.byteCount ?? 0
  }

  /// Reads the next line; returns its operation, if it has one, and throws all that is wrong in it.
  package mutating func read(_ line: [UInt8]) throws(ManifestErrors) -> StreamedLine? {
    lineCount += 1
    let start = lineCount == 1 ? ByteOrderMark.count(in: line) : 0
    let text = start == 0 ? line : Array(line[start...])
    return try text.withBytes { bytes throws(ManifestErrors) in try read(bytes, of: text) }
  }

  /// The error of the next line, which is longer than the limit.
  package var excess: ManifestErrors {
    ManifestErrors(at: lineCount + 1, LineContent.excess(lineLimit))
  }

  /// Checks a whole manifest as lines that come one by one; throws the error of the first wrong
  /// line.
  package static func check(
    _ text: [UInt8],
    servesOnlyCommands: Bool
  ) throws(ManifestErrors) {
    var lines = Self(shell: nil, servesOnlyCommands: servesOnlyCommands)
    for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      _ = try lines.read(Array(line))
    }
  }

  private mutating func read(
    _ bytes: UnsafeRawBufferPointer,
    of text: [UInt8]
  ) throws(ManifestErrors) -> StreamedLine? {
    switch LineContent(bytes, lineLimit: lineLimit) {
    case .nothing: return nil
    case .excessive(let message), .invalidComment(let message):
      throw ManifestErrors(at: lineCount, message)
    case .operation: break
    }
    tables.clearLists()
    let row = ManifestRow(start: 0, length: UInt32(bytes.count), line: lineCount)
    var reader = ManifestLineParser(bytes, row: row)
    do throws(JSONError) {
      try reader.read(into: &tables)
    } catch {
      throw ManifestErrors(at: lineCount, LineSyntax.message(error, in: bytes))
    }
    let check = StreamedLineCheck(reader, ManifestBytes(bytes), tables, names, servesOnlyCommands)
    guard check.errors.isEmpty else { throw check.errors }
    let manifest = Manifest(line: text, reader.row, tables.kinds, shell: shell)
    let operation = StreamedLine(
      manifest,
      check.dependencies,
      tables.extras,
      isBarrier: reader.row.traits.isBarrier
    )
    names.append(check.id, line: lineCount)
    kindIndices.append(reader.row.kind)
    operations.append(operation)
    return operation
  }
}

extension ManifestErrors {
  /// The only error of a line.
  fileprivate init(at line: UInt32, _ message: String) {
    self.init()
    append(ManifestError(line: Int(line), message: message))
  }
}

extension ManifestTables {
  /// Drops the lists of the line before; names stay known.
  fileprivate mutating func clearLists() {
    references.removeAll(keepingCapacity: true)
    extras.clearLists()
  }
}

extension ManifestExtras {
  fileprivate mutating func clearLists() {
    claims = SparseRows()
    slots = SparseRows()
    memberships = SparseRows()
    inputs = SparseRows()
    teardownIndices = SparseRows()
    retryDelays = SparseRows()
    retryConditionIndices = SparseRows()
    expectations = SparseRows()
  }
}

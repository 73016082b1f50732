import PoolModel
import PoolText
import PoolWire

/// Reads one line: fills a row, lists its dependencies, and collects errors.
///
/// It throws only if the line is not JSON. Other errors are collected and reading goes on, so that
/// the user sees all of them at once.
struct ManifestLineParser {
  var scanner: JSONScanner
  var row: ManifestRow
  /// The features that its machine must have.
  var constraint: [String] = []
  /// Errors by field; the caller adds the line.
  private(set) var errors: [(field: String?, message: String)] = []
  private var seen = ManifestFieldSet()

  init(_ line: UnsafeRawBufferPointer, row: ManifestRow) {
    scanner = JSONScanner(line)
    self.row = row
    self.row.traits.level = UInt16(PoolQueuePriority.normal.level)
    self.row.traits.qualityOfService = UInt16(PoolQualityOfService.allCases.count - 1)
  }

  /// Whether the line has one of the rare fields.
  var hasExtras: Bool { seen.intersects(.extras) }

  /// Reads the line.
  mutating func read(into tables: inout ManifestTables) throws(JSONError) {
    var isFirst = true
    try beginObject()
    while let key = try scanner.nextKey(&isFirst) {
      guard let field = ManifestField(key, in: scanner) else {
        noteUnknown(scanner.text(of: key))
        _ = try scanner.skipValue()
        continue
      }
      if !seen.insert(field) { note(field, "the field is there twice") }
      try read(field, into: &tables)
    }
    try scanner.expectEnd()
    applyConstraint(in: &tables)
    checkCombination()
  }

  private mutating func beginObject() throws(JSONError) {
    do throws(JSONError) {
      try scanner.beginObject()
    } catch {
      guard case .array? = try? scanner.token() else { throw error }
      throw JSONError(
        .expected("an object: each line is one, without '[' around all"),
        at: error.offset
      )
    }
  }

  private mutating func read(
    _ field: ManifestField,
    into tables: inout ManifestTables
  ) throws(JSONError) {
    switch field {
    case .id: try readID()
    case .run: try readArguments()
    case .shell: try readLine()
    case .kind: try readKind(into: &tables)
    case .payload: _ = try scanner.skipValue()
    case .after: try readDependencies(into: &tables)
    case .priority: try readPriority()
    case .qos: try readQualityOfService()
    case .timeout: try readTimeout()
    case .retries: try readRetries()
    case .cwd: try readFolder()
    case .env: try readEnvironment()
    case .stdin: try readInput()
    case .nice: _ = try integer(.nice, in: CommandPayload.niceRange)
    case .name: if try has(.string, "a string", .name) { row.name = try span() }
    case .exclusive: try readExclusive(into: &tables.extras)
    case .constraint: try readConstraint()
    case .limit: try readLimits(into: &tables.extras)
    case .slots: try readSlots(into: &tables.extras)
    case .barrier: try readBarrier()
    case .group: try readGroup(into: &tables.extras)
    case .inputs: try readInputs(into: &tables)
    case .termSeq: try readTeardown(into: &tables.extras)
    case .expected: try readExpectation(into: &tables.extras)
    case .retryDelay: try readRetryDelay(into: &tables.extras)
    case .idempotent: try readIdempotence()
    case .retryOn: try readRetryCondition(into: &tables.extras)
    }
  }

  // MARK: Notes

  mutating func note(_ field: ManifestField, _ message: String) {
    errors.append((field.name, message))
  }

  private mutating func note(_ message: String) {
    errors.append((nil, message))
  }

  private mutating func noteUnknown(_ name: String) {
    let near = NearestName.of(name, among: ManifestField.allCases.map(\.name))
    let hint =
      (OtherToolField.hint(for: name) ?? near.map { "did you mean '\($0)'?" })
      .map { "; " + $0 } ?? ""
    errors.append((Printable.name(name), "unknown field\(hint)"))
  }

  /// Whether the next value has that type; otherwise reports it and skips the value.
  mutating func has(
    _ type: JSONScanner.Token,
    _ expected: StaticString,
    _ field: ManifestField
  ) throws(JSONError) -> Bool {
    let found = try scanner.token()
    if found == type { return true }
    note(field, "expected \(expected), found \(found.article)")
    _ = try scanner.skipValue()
    return false
  }

  mutating func span() throws(JSONError) -> TextSpan {
    let string = try scanner.scanString()
    return TextSpan(string.range, hasEscapes: string.hasEscapes)
  }

  // MARK: Rules between fields

  private mutating func checkCombination() {
    let actions: [ManifestField] = [.run, .shell, .kind]
    switch actions.count(where: { seen.contains($0) }) {
    case 1: break
    case 0: note("one of 'run', 'shell' and 'kind' is required")
    default: note("only one of 'run', 'shell' and 'kind' may be there")
    }
    if seen.contains(.kind) {
      for field in ManifestField.allCases
      where field.commandField != nil && !actions.contains(field) && seen.contains(field) {
        note(field, "not allowed with 'kind'")
      }
    } else if seen.contains(.payload) {
      note(.payload, "only allowed with 'kind'")
    }
  }
}

extension JSONScanner.Token {
  /// The type with its article, as the end of a sentence.
  package var article: String {
    switch self {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .number: "a number"
    case .bool: "a boolean"
    case .null: "null"
    }
  }
}

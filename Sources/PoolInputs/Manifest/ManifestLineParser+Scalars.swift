import PoolModel
import PoolText
import PoolWire

extension ManifestLineParser {
  mutating func readID() throws(JSONError) {
    guard try has(.string, "a string", .id) else { return }
    let string = try scanner.scanString()
    row.id = TextSpan(string.range, hasEscapes: string.hasEscapes)
    if row.id.count == 0 { note(.id, "must not be empty") }
    // Only an escape can be one.
    if string.hasEscapes, scanner.content(of: string).contains(0) {
      note(.id, "contains a NUL, which OPOOL_ID cannot hold")
    }
  }

  mutating func readKind(into tables: inout ManifestTables) throws(JSONError) {
    guard try has(.string, "a string", .kind) else { return }
    row.traits.action = .kind
    let name = scanner.text(of: try scanner.scanString())
    if name.isEmpty { return note(.kind, "must not be empty") }
    setKind(ConstrainedKind(name), .kind, in: &tables)
  }

  private mutating func setKind(
    _ kind: ConstrainedKind,
    _ field: ManifestField,
    in tables: inout ManifestTables
  ) {
    let index = tables.kinds.index(of: kind)
    guard index < ManifestTables.kindLimit else {
      return note(field, "more than \(ManifestTables.kindLimit) kinds and constraints")
    }
    row.kind = UInt16(index)
  }

  /// Makes the constraint a part of the kind, which may stand behind it.
  mutating func applyConstraint(in tables: inout ManifestTables) {
    guard !constraint.isEmpty else { return }
    let name = tables.kinds.names[Int(row.kind)].name
    setKind(ConstrainedKind(name, requiring: constraint), .constraint, in: &tables)
  }

  mutating func readPriority() throws(JSONError) {
    let expected = "expected veryLow, low, normal, high, veryHigh or an integer"
    switch try scanner.token() {
    case .string:
      let name = try scanner.string()
      guard let priority = PoolQueuePriority(name: name) else {
        return note(.priority, "\(expected), found '\(Printable.name(name))'")
      }
      row.traits.level = UInt16(priority.level)
    case .number:
      guard let value = try integer() else { return note(.priority, "\(expected)") }
      row.traits.level = UInt16(PoolQueuePriority(nearest: value).level)
    case let other:
      note(.priority, "\(expected), found \(other.article)")
      _ = try scanner.skipValue()
    }
  }

  mutating func readQualityOfService() throws(JSONError) {
    guard try has(.string, "a string", .qos) else { return }
    let name = try scanner.string()
    guard let value = PoolQualityOfService(name: name),
      let index = PoolQualityOfService.allCases.firstIndex(of: value)
    else {
      let names = PoolQualityOfService.allCases.map(\.name).joined(separator: ", ")
      return note(.qos, "expected one of \(names), found '\(Printable.name(name))'")
    }
    row.traits.qualityOfService = UInt16(index)
  }

  mutating func readTimeout() throws(JSONError) {
    if let nanoseconds = try nanoseconds(.timeout) { row.timeout = nanoseconds }
  }

  mutating func readExpectation(into extras: inout ManifestExtras) throws(JSONError) {
    if let nanoseconds = try nanoseconds(.expected) { extras.expectations.append(nanoseconds) }
  }

  /// Consumes a time in seconds; reports another value.
  private mutating func nanoseconds(
    _ field: ManifestField,
    allowingZero: Bool = false
  ) throws(JSONError) -> Int64? {
    let expected: StaticString =
      allowingZero ? "a number of seconds" : "a number of seconds above 0"
    guard try has(.number, expected, field) else { return nil }
    let range = try scanner.skipValue()
    let seconds = DecimalParser.double(json: scanner.slice(range))
    if allowingZero, seconds == 0 { return 0 }
    guard let seconds, let nanoseconds = DecimalParser.nanoseconds(seconds: seconds) else {
      note(field, "must be \(allowingZero ? "0 or " : "")more than 0 seconds, and finite")
      return nil
    }
    return nanoseconds
  }

  mutating func readRetries() throws(JSONError) {
    if let retries = try integer(.retries, in: 0...Int(Int32.max)) { row.retries = Int32(retries) }
  }

  mutating func readRetryDelay(into extras: inout ManifestExtras) throws(JSONError) {
    if let delay = try nanoseconds(.retryDelay, allowingZero: true) {
      extras.retryDelays.append(delay)
    }
  }

  /// Consumes a whole number in a range; reports another value.
  ///
  /// If the range ends with the largest stored number, a larger number becomes that one.
  mutating func integer(
    _ field: ManifestField,
    in range: ClosedRange<Int>,
    _ description: @autoclosure () -> String? = nil
  ) throws(JSONError) -> Int? {
    let isOpen = range.upperBound == Int(Int32.max)
    let bounds =
      isOpen ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
    let expected = "expected \(description() ?? "an integer " + bounds)"
    let found = try scanner.token()
    guard found == .number else {
      note(field, "\(expected), found \(found.article)")
      _ = try scanner.skipValue()
      return nil
    }
    guard let value = try integer(), value >= range.lowerBound, isOpen || value <= range.upperBound
    else {
      note(field, expected)
      return nil
    }
    return min(value, range.upperBound)
  }

  /// Consumes a number; nil if it is not a whole number.
  ///
  /// A number that is too large becomes `Int.max`; as in a schema, 1.0 is a whole number.
  mutating func integer() throws(JSONError) -> Int? {
    let text = scanner.slice(try scanner.skipValue())
    if let value = DecimalParser.integer(text) { return value }
    if let value = DecimalParser.double(json: text) {
      guard value == value.rounded() else { return nil }
      return Int(exactly: value) ?? (value < 0 ? .min : .max)
    }
    let isWhole = text.allSatisfy { $0 == UInt8(ascii: "-") || DecimalParser.isDigit($0) }
    guard isWhole else { return nil }
    return text.first == UInt8(ascii: "-") ? .min : .max
  }
}

import PoolModel

/// The byte ranges of a message's field values in its body.
///
/// Scanning a body checks that all of it is JSON, and stores the place of each value. A message
/// then decodes only the fields that it has, so that an unknown field may have any value. The
/// fields of the most frequent messages have a place each; the others are in a list, which costs an
/// allocation. If a field occurs twice, the last one counts.
struct MessageFields {
  private var scanner: JSONScanner
  private var type = Place()
  private var operation = Place()
  private var dispatch = Place()
  private(set) var attempt = Place()
  private(set) var kind = Place()
  private(set) var payload = Place()
  private(set) var result = Place()
  private var others: [Field] = []
  /// The attachment before the frame.
  var attachment: [UInt8]?

  /// Whether there are only fields with a place of their own.
  var isPlain: Bool { others.isEmpty }

  /// The place of a value; half the size of an optional range, because each message has many.
  struct Place {
    fileprivate var start: UInt32 = 0
    /// Zero if there is no value: the shortest value has one byte.
    fileprivate var count: UInt32 = 0

    fileprivate init() {}

    /// A frame's length has four bytes, so an offset fits into four.
    fileprivate init(_ range: Range<Int>) {
      start = UInt32(truncatingIfNeeded: range.lowerBound)
      count = UInt32(truncatingIfNeeded: range.count)
    }

    fileprivate var isAbsent: Bool { count == 0 }
    fileprivate var range: Range<Int> { Int(start)..<(Int(start) + Int(count)) }
  }

  private struct Field {
    var name: JSONStringRange
    var value: Place
  }

  /// Scans a whole body; malformed JSON is a violation.
  @inline(__always)
  init(body: UnsafeRawBufferPointer) throws(Violation) {
    scanner = JSONScanner(body)
    do throws(JSONError) {
      try readAll()
    } catch {
      throw .notJSON(error)
    }
  }

  /// Scans the fields of a body up to its first error.
  init(startOf body: UnsafeRawBufferPointer) {
    scanner = JSONScanner(body)
    do throws(JSONError) { try readAll() } catch {}
  }

  @inline(__always)
  private mutating func readAll() throws(JSONError) {
    try scanner.beginObject()
    var isFirst = true
    while let name = try scanner.nextKey(&isFirst) { note(name, try skipValue(of: name)) }
    try scanner.expectEnd()
  }

  /// Consumes and checks a field's value.
  @inline(__always)
  private mutating func skipValue(of name: JSONStringRange) throws(JSONError) -> Place {
    let depthLimit =
      scanner.matches(name, "inputs") ? JSONScanner.inputsDepthLimit : JSONScanner.depthLimit
    return Place(try scanner.skipValue(depthLimit: depthLimit))
  }

  @inline(__always)
  private mutating func note(_ name: JSONStringRange, _ value: Place) {
    if scanner.matches(name, "type") {
      type = value
    } else if scanner.matches(name, "operation") {
      operation = value
    } else if scanner.matches(name, "dispatch") {
      dispatch = value
    } else if scanner.matches(name, "result") {
      result = value
    } else if scanner.matches(name, "attempt") {
      attempt = value
    } else if scanner.matches(name, "kind") {
      kind = value
    } else if scanner.matches(name, "payload") {
      payload = value
    } else {
      others.append(Field(name: name, value: value))
    }
  }
}

// MARK: - Access to fields

extension MessageFields {
  /// Decodes the value at a place; nil if it is absent or `null`.
  @inline(__always)
  func read<Value>(
    _ name: StaticString,
    at place: Place,
    _ body: (inout JSONScanner) throws(JSONError) -> Value
  ) throws(Violation) -> Value? {
    guard !place.isAbsent else { return nil }
    var reader = scanner
    reader.position = Int(place.start)
    guard reader.peek() != UInt8(ascii: "n") else { return nil }
    do throws(JSONError) {
      return try body(&reader)
    } catch {
      throw .field("\(name)", inMessage: typeName)
    }
  }

  /// Decodes a field without a place of its own; nil if it is absent or `null`.
  func read<Value>(
    _ name: StaticString,
    _ body: (inout JSONScanner) throws(JSONError) -> Value
  ) throws(Violation) -> Value? {
    guard let field = others.last(where: { scanner.matches($0.name, name) }) else { return nil }
    return try read(name, at: field.value, body)
  }

  func integer<Number: FixedWidthInteger>(_ name: StaticString) throws(Violation) -> Number? {
    try read(name) { scanner throws(JSONError) in try scanner.integer() }
  }

  func text(_ name: StaticString) throws(Violation) -> String? {
    try read(name) { scanner throws(JSONError) in try scanner.string() }
  }

  func texts(_ name: StaticString) throws(Violation) -> [String]? {
    try read(name) { scanner throws(JSONError) in
      try scanner.list { scanner throws(JSONError) in try scanner.string() }
    }
  }

  /// The value of a required field.
  @inline(__always)
  func require<Value>(_ name: StaticString, _ value: Value?) throws(Violation) -> Value {
    guard let value else { throw .field("\(name)", inMessage: typeName) }
    return value
  }

  /// The reference of the dispatch.
  @inline(__always)
  func reference() throws(Violation) -> DispatchReference {
    let operation: UInt64? = try read("operation", at: operation) { scanner throws(JSONError) in
      try scanner.integer()
    }
    let dispatch: UInt64? = try read("dispatch", at: dispatch) { scanner throws(JSONError) in
      try scanner.integer()
    }
    return DispatchReference(
      operation: OperationID(rawValue: try require("operation", operation)),
      dispatch: DispatchNumber(rawValue: try require("dispatch", dispatch))
    )
  }

  /// The JSON at a place, copied; nil if it is absent.
  func json(at place: Place) -> [UInt8]? {
    guard !place.isAbsent else { return nil }
    let text = scanner.slice(place.range)
    // The result `null` is common, and needs no copy.
    return text[0] == UInt8(ascii: "n") ? Self.null : Array(text)
  }

  /// Whether the message says that its payload or result is the attachment before it.
  func isPacked() throws(Violation) -> Bool {
    try read("packed") { scanner throws(JSONError) in try scanner.bool() } ?? false
  }

  /// Throws unless the message names the attachment before it, and has the type that may have one.
  func demandPacked(_ type: JSONStringRange, _ name: StaticString) throws(Violation) {
    let isNamed = try isPacked()
    guard isNamed, matches(type, name) else {
      throw .unexpected("an attachment that no '\(name)' names")
    }
  }

  /// The payload or the result: the JSON at its place, or the attachment.
  func content(at place: Place) throws(Violation) -> [UInt8]? {
    guard !isPlain, try isPacked() else { return json(at: place) }
    guard place.isAbsent, let attachment else {
      throw .unexpected(
        attachment == nil
          ? "a message that names an attachment, and no attachment"
          : "a message with both JSON and an attachment"
      )
    }
    return attachment
  }

  /// A literal, which has no reference count.
  static let null: [UInt8] = [0x6E, 0x75, 0x6C, 0x6C]
}

// MARK: - The type

extension MessageFields {
  /// The message's type, which is required.
  @inline(__always)
  func requireType() throws(Violation) -> JSONStringRange {
    let name = try read("type", at: type) { scanner throws(JSONError) in
      try scanner.scanString()
    }
    return try require("type", name)
  }

  @inline(__always)
  func matches(_ type: JSONStringRange, _ name: StaticString) -> Bool {
    scanner.matches(type, name)
  }

  func text(of type: JSONStringRange) -> String { scanner.text(of: type) }

  /// A type for a report: its first 80 characters.
  func excerpt(of type: JSONStringRange) -> String {
    let name = text(of: type).unicodeScalars
    guard let end = name.index(name.startIndex, offsetBy: 80, limitedBy: name.endIndex),
      end < name.endIndex
    else { return String(name) }
    return String(name[..<end]) + "…"
  }

  /// The type in a report; `message` if there is none.
  private var typeName: String {
    var reader = scanner
    reader.position = Int(type.start)
    return (try? reader.string()) ?? "message"
  }
}

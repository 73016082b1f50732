package import PoolWire

/// A JSON value as a tree: cases are written and compared in it.
///
/// Numbers keep their digits, because those of dispatches are compared exactly.
package indirect enum JSONNode: Hashable, Sendable {
  /// A field of an object.
  package struct Member: Hashable, Sendable {
    package var name: String
    package var value: JSONNode

    package init(_ name: String, _ value: JSONNode) {
      (self.name, self.value) = (name, value)
    }
  }

  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([JSONNode])
  /// The fields in their order.
  case object([Member])

  /// The value of an object's field; nil if it is absent or `null`, as on the wire.
  ///
  /// If a field comes twice, the last one counts.
  package subscript(name: String) -> JSONNode? {
    guard case .object(let members) = self,
      let value = members.last(where: { $0.name == name })?.value, value != .null
    else { return nil }
    return value
  }

  package var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The digits of a number.
  package var digits: String? {
    if case .number(let digits) = self { digits } else { nil }
  }
}

// MARK: - Reading

extension JSONNode {
  /// Reads a text that is one JSON value.
  package init(_ json: some Sequence<UInt8>) throws(JSONError) {
    self = try Array(json).withUnsafeBufferPointer { bytes throws(JSONError) in
      var scanner = JSONScanner(UnsafeRawBufferPointer(bytes))
      let node = try Self(&scanner, depth: 0)
      try scanner.expectEnd()
      return node
    }
  }

  /// Levels of a whole message: those of a value in the `inputs`, and the objects around it.
  private static let depthLimit = JSONScanner.depthLimit + 3

  private init(_ scanner: inout JSONScanner, depth: Int) throws(JSONError) {
    guard depth <= Self.depthLimit else { throw JSONError(.tooDeep, at: scanner.position) }
    switch try scanner.token() {
    case .object: self = .object(try Self.members(&scanner, depth + 1))
    case .array: self = .array(try Self.elements(&scanner, depth + 1))
    case .string: self = .string(try scanner.string())
    case .number:
      let range = try scanner.skipValue()
      self = .number(String(decoding: scanner.slice(range), as: UTF8.self))
    case .bool: self = .bool(try scanner.bool())
    case .null:
      try scanner.null()
      self = .null
    }
  }

  private static func members(
    _ scanner: inout JSONScanner,
    _ depth: Int
  ) throws(JSONError) -> [Member] {
    var (members, isFirst) = ([Member](), true)
    try scanner.beginObject()
    while let key = try scanner.nextKey(&isFirst) {
      members.append(Member(scanner.text(of: key), try Self(&scanner, depth: depth)))
    }
    return members
  }

  private static func elements(
    _ scanner: inout JSONScanner,
    _ depth: Int
  ) throws(JSONError) -> [JSONNode] {
    var (elements, isFirst) = ([JSONNode](), true)
    try scanner.beginArray()
    while try scanner.hasElement(&isFirst) { elements.append(try Self(&scanner, depth: depth)) }
    return elements
  }
}

// MARK: - Writing

extension JSONNode {
  /// The value as JSON without white space.
  package var json: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }

  private func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .bool(let value): writer.bool(value)
    case .number(let digits): writer.raw(digits.utf8)
    case .string(let text): writer.string(text)
    case .array(let elements):
      writer.beginArray()
      for element in elements { element.write(to: &writer) }
      writer.endArray()
    case .object(let members):
      writer.beginObject()
      for member in members {
        writer.key(Array(member.name.utf8))
        member.value.write(to: &writer)
      }
      writer.endObject()
    }
  }
}

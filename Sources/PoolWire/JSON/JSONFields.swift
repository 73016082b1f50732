import PoolModel

/// The fields of one JSON object by their names, for texts that are not read by the million a
/// second.
///
/// A field that is missing, or `null`, has no value. Looking one up is linear in their number.
package struct JSONFields {
  private let bytes: [UInt8]
  private var fields: [(name: String, value: Range<Int>)] = []

  /// Checks the text of an object, and finds its fields.
  package init(_ text: some Collection<UInt8>) throws(JSONError) {
    bytes = Array(text)
    fields = try bytes.withBytes { bytes throws(JSONError) in try Self.fields(of: bytes) }
  }

  private static func fields(
    of bytes: UnsafeRawBufferPointer
  ) throws(JSONError) -> [(name: String, value: Range<Int>)] {
    var scanner = JSONScanner(bytes)
    var fields: [(name: String, value: Range<Int>)] = []
    var isFirst = true
    try scanner.beginObject()
    while let key = try scanner.nextKey(&isFirst) {
      let name = scanner.text(of: key)
      fields.append((name, try scanner.skipValue()))
    }
    try scanner.expectEnd()
    return fields
  }

  /// Whether there is such a field.
  package func has(_ name: String) -> Bool { fields.contains { $0.name == name } }

  /// Reads the value of a field with the closure; nil if it has none.
  package func value<Value>(
    _ name: String,
    _ read: (inout JSONScanner) throws(JSONError) -> Value
  ) throws(JSONError) -> Value? {
    guard let range = fields.first(where: { $0.name == name })?.value else { return nil }
    return try bytes.withBytes { bytes throws(JSONError) in
      var scanner = JSONScanner(UnsafeRawBufferPointer(rebasing: bytes[range]))
      if bytes[range.lowerBound] == UInt8(ascii: "n") { return nil }
      return try read(&scanner)
    }
  }

  /// The value of a field; throws if it has none.
  package func demand<Value>(
    _ name: String,
    _ read: (inout JSONScanner) throws(JSONError) -> Value
  ) throws(JSONError) -> Value {
    guard let value = try value(name, read) else {
      throw JSONError(.expected("a field '\(name)'"), at: 0)
    }
    return value
  }

  package func text(_ name: String) throws(JSONError) -> String? {
    try value(name) { scanner throws(JSONError) in try scanner.string() }
  }

  package func bytes(_ name: String) throws(JSONError) -> [UInt8]? {
    try value(name) { scanner throws(JSONError) in try scanner.byteText() }
  }

  package func number<Number: FixedWidthInteger>(_ name: String) throws(JSONError) -> Number? {
    try value(name) { scanner throws(JSONError) in try scanner.integer() }
  }

  package func isTrue(_ name: String) throws(JSONError) -> Bool {
    try value(name) { scanner throws(JSONError) in try scanner.bool() } ?? false
  }

  /// A number of seconds as nanoseconds, rounded to microseconds.
  package func seconds(_ name: String) throws(JSONError) -> Int64? {
    guard let range = fields.first(where: { $0.name == name })?.value,
      bytes[range.lowerBound] != UInt8(ascii: "n")
    else { return nil }
    guard let seconds = Double(String(decoding: bytes[range], as: UTF8.self)),
      let micros = Int64(exactly: (seconds * 1e6).rounded()), micros.magnitude < 1 << 53
    else { throw JSONError(.expected("a number of seconds"), at: range.lowerBound) }
    return micros * 1_000
  }
}

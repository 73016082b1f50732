import PoolModel

/// The fields of one JSON object by their names.
///
/// A field that is missing, or `null`, has no value. Looking one up is linear in their number, but
/// compares only names of the same length.
package struct JSONFields {
  private struct Field {
    let key: JSONStringRange
    let value: Range<Int>
  }

  private let bytes: ArraySlice<UInt8>
  private let fields: [Field]

  /// Checks the text of an object, and finds its fields.
  package init(_ text: ArraySlice<UInt8>) throws(JSONError) {
    bytes = text
    fields = try text.withUnsafeBufferPointer { bytes throws(JSONError) in
      try Self.fields(of: UnsafeRawBufferPointer(bytes))
    }
  }

  private static func fields(of bytes: UnsafeRawBufferPointer) throws(JSONError) -> [Field] {
    var scanner = JSONScanner(bytes)
    var fields: [Field] = []
    fields.reserveCapacity(usualCount)
    var isFirst = true
    try scanner.beginObject()
    while let key = try scanner.nextKey(&isFirst) {
      fields.append(Field(key: key, value: try scanner.skipValue()))
    }
    try scanner.expectEnd()
    return fields
  }

  /// Objects that have more fields are rare.
  private static let usualCount = 28

  /// Whether there is such a field.
  package func has(_ name: StaticString) -> Bool {
    bytes.withUnsafeBytes { place(of: name, in: JSONScanner($0)) != nil }
  }

  private func place(of name: StaticString, in scanner: JSONScanner) -> Range<Int>? {
    for index in fields.indices where scanner.matches(fields[index].key, name) {
      return fields[index].value
    }
    return nil
  }

  /// Reads the value of a field with the closure; nil if it has none.
  package func value<Value>(
    _ name: StaticString,
    _ read: (inout JSONScanner) throws(JSONError) -> Value
  ) throws(JSONError) -> Value? {
    try withText(of: name) { text, _ throws(JSONError) in
      var scanner = JSONScanner(text)
      return try read(&scanner)
    }
  }

  /// Passes the text of a value, and where it begins, to the closure; nil if the field has none.
  @inline(__always)
  private func withText<Value>(
    of name: StaticString,
    _ read: (UnsafeRawBufferPointer, Int) throws(JSONError) -> Value
  ) throws(JSONError) -> Value? {
    try bytes.withUnsafeBufferPointer { bytes throws(JSONError) in
      let bytes = UnsafeRawBufferPointer(bytes)
      guard let range = place(of: name, in: JSONScanner(bytes)),
        bytes[range.lowerBound] != UInt8(ascii: "n")
      else { return nil }
      return try read(UnsafeRawBufferPointer(rebasing: bytes[range]), range.lowerBound)
    }
  }

  package func text(_ name: StaticString) throws(JSONError) -> String? {
    try value(name) { scanner throws(JSONError) in try scanner.string() }
  }

  package func bytes(_ name: StaticString) throws(JSONError) -> [UInt8]? {
    try value(name) { scanner throws(JSONError) in try scanner.byteText() }
  }

  package func integer(_ name: StaticString) throws(JSONError) -> Int? {
    try value(name) { scanner throws(JSONError) in try scanner.integer() }
  }

  package func isTrue(_ name: StaticString) throws(JSONError) -> Bool {
    try value(name) { scanner throws(JSONError) in try scanner.bool() } ?? false
  }

  /// A number of seconds as nanoseconds, rounded to microseconds.
  package func seconds(_ name: StaticString) throws(JSONError) -> Int64? {
    try withText(of: name) { text, start throws(JSONError) in
      if let micros = Self.plainMicroseconds(text) { return micros * 1_000 }
      guard let seconds = Double(String(decoding: text, as: UTF8.self)),
        let micros = Int64(exactly: (seconds * 1e6).rounded()), micros.magnitude < 1 << 53
      else { throw JSONError(.expected("a number of seconds"), at: start) }
      return micros * 1_000
    }
  }

  /// Seconds with at most six decimals, as nearly all are written; nil for others, and for numbers
  /// that are so large that a `Double` is not exact.
  private static func plainMicroseconds(_ text: UnsafeRawBufferPointer) -> Int64? {
    let isNegative = text.first == .minus
    var micros: Int64 = 0
    var (digitCount, decimalCount) = (0, 0)
    var hasPoint = false
    for byte in text.dropFirst(isNegative ? 1 : 0) {
      if let digit = byte.digit, digitCount < exactDigitCount {
        micros = micros * 10 + Int64(digit)
        digitCount += 1
        if hasPoint { decimalCount += 1 }
      } else if byte == UInt8(ascii: "."), !hasPoint {
        hasPoint = true
      } else {
        return nil
      }
    }
    let missing = 6 - decimalCount
    guard digitCount > 0, missing >= 0, digitCount + missing <= exactDigitCount else { return nil }
    for _ in 0..<missing { micros *= 10 }
    return isNegative ? -micros : micros
  }

  /// So many digits of microseconds are exact after all roundings of a `Double`.
  private static let exactDigitCount = 15
}

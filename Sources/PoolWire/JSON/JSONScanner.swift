/// A pull scanner over one JSON text (RFC 8259): the caller asks for what it expects.
///
/// It copies only the strings that the caller asks for, so payloads and results are checked once
/// and passed on as bytes. It borrows its bytes: it must not outlive the closure that lent them.
///
/// Costs are linear in the bytes read. Values nest at most to ``depthLimit``; numbers stay text
/// unless the caller asks for an integer or a double.
package struct JSONScanner {
  /// Maximum nesting of the arrays and objects of one value: a payload, a result, or any other
  /// field of a message.
  ///
  /// It counts from the value, not from the text around it: a result of this depth may be a field
  /// of the next message, or two objects deeper in its `inputs`.
  package static let depthLimit = 512

  /// Maximum nesting of the `inputs` of a message: the JSON of an input is within two objects.
  static let inputsDepthLimit = depthLimit + 2

  /// The text.
  let bytes: UnsafeBufferPointer<UInt8>

  /// Offset of the next byte.
  package internal(set) var position = 0

  /// Scans the bytes; they must outlive the scanner.
  package init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes.assumingMemoryBound(to: UInt8.self)
  }

  /// The kind of the next value.
  package enum Token: Hashable {
    case object
    case array
    case string
    case number
    case bool
    case null
  }
}

// MARK: - Structure

extension JSONScanner {
  /// Skips white space and returns the next byte without consuming it, or nil at the end.
  @inline(__always)
  mutating func peek() -> UInt8? {
    while position < bytes.count {
      let byte = bytes[position]
      guard byte == .space || byte == .newline || byte == .carriageReturn || byte == .tab
      else { return byte }
      position += 1
    }
    return nil
  }

  /// The kind of the next value, which is not consumed.
  package mutating func token() throws(JSONError) -> Token {
    guard let next = peek() else { throw JSONError(.unexpectedEnd, at: position) }
    switch next {
    case .openBrace: return .object
    case .openBracket: return .array
    case .quote: return .string
    case .minus, UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
    case UInt8(ascii: "n"): return .null
    default: throw JSONError(.expected("a JSON value"), at: position)
    }
  }

  /// Consumes one structural byte.
  @inline(__always)
  mutating func expect(_ byte: UInt8, _ what: StaticString) throws(JSONError) {
    guard let next = peek() else { throw JSONError(.unexpectedEnd, at: position) }
    guard next == byte else { throw JSONError(.expected("\(what)"), at: position) }
    position += 1
  }

  /// Enters an object; ``nextKey()`` then returns its keys.
  package mutating func beginObject() throws(JSONError) {
    try expect(.openBrace, "an object")
  }

  /// Consumes the next key of the object and its colon; nil if the object has ended.
  ///
  /// The flag is true before the object's first key, and is set to false here.
  @inline(__always)
  package mutating func nextKey(_ isFirst: inout Bool) throws(JSONError) -> JSONStringRange? {
    guard let next = peek() else { throw JSONError(.unexpectedEnd, at: position) }
    if next == .closeBrace {
      position += 1
      return nil
    }
    if !isFirst { try expect(.comma, "',' or '}'") }
    isFirst = false
    guard peek() == .quote else {
      throw JSONError(.expected("a key in double quotes"), at: position)
    }
    let key = try scanString()
    try expect(.colon, "':'")
    return key
  }

  /// Enters an array; ``hasElement(_:)`` then returns whether another element follows.
  package mutating func beginArray() throws(JSONError) {
    try expect(.openBracket, "an array")
  }

  /// Whether another element follows; consumes the comma before it or the end of the array.
  ///
  /// The flag is true before the array's first element, and is set to false here.
  package mutating func hasElement(_ isFirst: inout Bool) throws(JSONError) -> Bool {
    guard let next = peek() else { throw JSONError(.unexpectedEnd, at: position) }
    if next == .closeBracket {
      position += 1
      return false
    }
    if !isFirst { try expect(.comma, "',' or ']'") }
    isFirst = false
    return true
  }

  /// Throws unless only white space is left.
  package mutating func expectEnd() throws(JSONError) {
    guard peek() == nil else { throw JSONError(.trailingBytes, at: position) }
  }

  /// The bytes of a range of the text.
  package func slice(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[range])
  }
}

extension UInt8 {
  static let space = UInt8(ascii: " ")
  static let tab = UInt8(ascii: "\t")
  static let newline = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let quote = UInt8(ascii: "\"")
  static let backslash = UInt8(ascii: "\\")
  static let openBrace = UInt8(ascii: "{")
  static let closeBrace = UInt8(ascii: "}")
  static let openBracket = UInt8(ascii: "[")
  static let closeBracket = UInt8(ascii: "]")
  static let comma = UInt8(ascii: ",")
  static let colon = UInt8(ascii: ":")
  static let minus = UInt8(ascii: "-")
  static let plus = UInt8(ascii: "+")

  /// The value of a decimal digit, or nil.
  @inline(__always)
  var digit: UInt8? {
    let value = self &- UInt8(ascii: "0")
    return value < 10 ? value : nil
  }
}

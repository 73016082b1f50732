/// A pull scanner over one JSON text (RFC 8259): the caller asks for what it expects.
///
/// The scanner copies nothing until it is asked for a string's content, so what the pool does not
/// look into (payloads, results) is checked once and passed on as bytes. It borrows its bytes:
/// it must not outlive the closure that lent them.
///
/// Costs are linear in the bytes looked at. Nesting is limited to ``depthLimit``; numbers keep
/// their text unless the caller asks for an integer or a double.
package struct JSONScanner {
  /// How deep arrays and objects may nest.
  package static let depthLimit = 512

  /// The text.
  let bytes: UnsafeBufferPointer<UInt8>

  /// Offset of the next byte to look at.
  package internal(set) var position = 0

  /// Scans the bytes; they must outlive the scanner.
  package init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes.assumingMemoryBound(to: UInt8.self)
  }

  /// The kind of value that comes next.
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

  /// Enters an object; ``nextKey()`` then gives its keys.
  package mutating func beginObject() throws(JSONError) {
    try expect(.openBrace, "an object")
  }

  /// The next key of the object, with its colon consumed, or nil when the object has ended.
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
    guard peek() == .quote else { throw JSONError(.expected("a key"), at: position) }
    let key = try scanString()
    try expect(.colon, "':'")
    return key
  }

  /// Enters an array; ``hasElement(_:)`` then says whether another element follows.
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

// MARK: - Scalars

extension JSONScanner {
  /// Consumes `true` or `false`.
  package mutating func bool() throws(JSONError) -> Bool {
    switch peek() {
    case UInt8(ascii: "t"):
      try literal("true")
      return true
    case UInt8(ascii: "f"):
      try literal("false")
      return false
    default:
      throw JSONError(.expected("true or false"), at: position)
    }
  }

  /// Consumes `null`.
  package mutating func null() throws(JSONError) {
    guard peek() == UInt8(ascii: "n") else { throw JSONError(.expected("null"), at: position) }
    try literal("null")
  }

  mutating func literal(_ text: StaticString) throws(JSONError) {
    let end = position + text.utf8CodeUnitCount
    guard end <= bytes.count else { throw JSONError(.unexpectedEnd, at: bytes.count) }
    for offset in 0..<text.utf8CodeUnitCount
    where bytes[position + offset] != text.utf8Start[offset] {
      throw JSONError(.expected("a JSON value"), at: position)
    }
    position = end
  }

  /// Consumes a number that must be a whole one, written without fraction or exponent.
  @inline(__always)
  package mutating func integer<Number: FixedWidthInteger>(
    _ type: Number.Type = Number.self
  ) throws(JSONError) -> Number {
    let start = try numberStart()
    let isNegative = bytes[start] == .minus
    var value: Number = 0
    for index in (isNegative ? start + 1 : start)..<position {
      guard let digit = bytes[index].digit else { throw JSONError(.invalidNumber, at: start) }
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) =
        isNegative
        ? product.subtractingReportingOverflow(Number(digit))
        : product.addingReportingOverflow(Number(digit))
      guard !overflow, !carry else { throw JSONError(.numberOutOfRange, at: start) }
      value = sum
    }
    return value
  }

  /// Consumes a number.
  package mutating func double() throws(JSONError) -> Double {
    let start = try numberStart()
    let text = String(decoding: slice(start..<position), as: UTF8.self)
    guard let value = Double(text), value.isFinite else {
      throw JSONError(.numberOutOfRange, at: start)
    }
    return value
  }

  /// Consumes the text of a number and returns where it started.
  @inline(__always)
  mutating func numberStart() throws(JSONError) -> Int {
    guard let first = peek() else { throw JSONError(.unexpectedEnd, at: position) }
    guard first == .minus || first.digit != nil else {
      throw JSONError(.expected("a number"), at: position)
    }
    let start = position
    try skipNumber()
    return start
  }

  /// Consumes a number as RFC 8259 writes it: no leading zeros, digits around the point.
  mutating func skipNumber() throws(JSONError) {
    let start = position
    if bytes[position] == .minus { position += 1 }
    guard position < bytes.count, let first = bytes[position].digit else {
      throw JSONError(.invalidNumber, at: start)
    }
    position += 1
    if first != 0 { skipDigits() }
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      position += 1
      guard skipDigits() > 0 else { throw JSONError(.invalidNumber, at: start) }
    }
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < bytes.count, bytes[position] == .minus || bytes[position] == .plus {
        position += 1
      }
      guard skipDigits() > 0 else { throw JSONError(.invalidNumber, at: start) }
    }
    guard position == bytes.count || bytes[position].digit == nil else {
      throw JSONError(.invalidNumber, at: start)
    }
  }

  @discardableResult
  mutating func skipDigits() -> Int {
    let start = position
    while position < bytes.count, bytes[position].digit != nil { position += 1 }
    return position - start
  }
}

// MARK: - Whole values

extension JSONScanner {
  /// Consumes one value of any kind, checks all of it, and returns where its text lies.
  package mutating func skipValue() throws(JSONError) -> Range<Int> {
    _ = peek()
    let start = position
    var nesting = Nesting()
    repeat {
      try skipToken(&nesting)
    } while nesting.depth > 0
    return start..<position
  }

  /// Consumes the next scalar, opening or closing bracket, with the comma or key before it.
  private mutating func skipToken(_ nesting: inout Nesting) throws(JSONError) {
    if nesting.depth > 0, try closesOrSeparates(&nesting) { return }
    switch try token() {
    case .object:
      position += 1
      try nesting.enter(isObject: true, at: position)
    case .array:
      position += 1
      try nesting.enter(isObject: false, at: position)
    case .string: _ = try scanString()
    case .number: _ = try numberStart()
    case .bool: _ = try bool()
    case .null: try null()
    }
  }

  /// Handles what stands before a value inside a container; true where the container ended.
  private mutating func closesOrSeparates(_ nesting: inout Nesting) throws(JSONError) -> Bool {
    if nesting.isObject {
      guard try nextKey(&nesting.isFirst) != nil else {
        nesting.leave()
        return true
      }
    } else {
      guard try hasElement(&nesting.isFirst) else {
        nesting.leave()
        return true
      }
    }
    return false
  }

  /// Which of the open containers are objects: one bit a level.
  private struct Nesting {
    var depth = 0
    var isFirst = true
    private var kinds: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
      (0, 0, 0, 0, 0, 0, 0, 0)

    var isObject: Bool {
      let level = depth - 1
      return word(level / 64) >> (level % 64) & 1 == 1
    }

    mutating func enter(isObject: Bool, at position: Int) throws(JSONError) {
      guard depth < JSONScanner.depthLimit else { throw JSONError(.tooDeep, at: position - 1) }
      withUnsafeMutableBytes(of: &kinds) { raw in
        let words = raw.assumingMemoryBound(to: UInt64.self)
        let mask = UInt64(1) << (depth % 64)
        words[depth / 64] = isObject ? words[depth / 64] | mask : words[depth / 64] & ~mask
      }
      depth += 1
      isFirst = true
    }

    mutating func leave() {
      depth -= 1
      isFirst = false
    }

    private func word(_ index: Int) -> UInt64 {
      withUnsafeBytes(of: kinds) { $0.assumingMemoryBound(to: UInt64.self)[index] }
    }
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

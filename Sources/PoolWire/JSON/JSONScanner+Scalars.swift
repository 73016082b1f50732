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

  /// Consumes a whole number, which must be written without fraction and exponent.
  @inline(__always)
  package mutating func integer<Number: FixedWidthInteger>(
    _ type: Number.Type = Number.self
  ) throws(JSONError) -> Number {
    guard let first = peek() else { throw JSONError(.unexpectedEnd, at: position) }
    let start = position
    let isNegative = first == .minus
    guard isNegative || first.digit != nil else {
      throw JSONError(.expected("a number"), at: start)
    }
    var index = isNegative ? start + 1 : start
    let firstDigit = index
    var value: Number = 0
    while index < bytes.count, let digit = bytes[index].digit {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) =
        isNegative
        ? product.subtractingReportingOverflow(Number(digit))
        : product.addingReportingOverflow(Number(digit))
      guard !overflow, !carry else { throw JSONError(.numberOutOfRange, at: start) }
      value = sum
      index += 1
    }
    guard isWhole(firstDigit..<index) else { throw JSONError(.invalidNumber, at: start) }
    position = index
    return value
  }

  /// Whether the digits are a whole number: at least one, no leading zero, no continuation.
  @inline(__always)
  private func isWhole(_ digits: Range<Int>) -> Bool {
    guard !digits.isEmpty, digits.count == 1 || bytes[digits.lowerBound] != UInt8(ascii: "0")
    else { return false }
    guard digits.upperBound < bytes.count else { return true }
    let next = bytes[digits.upperBound]
    return next != UInt8(ascii: ".") && next | 0x20 != UInt8(ascii: "e")
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
  @inline(__always)
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

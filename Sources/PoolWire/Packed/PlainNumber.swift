/// A number whose arrays are written and read as a whole, rather than an element at a time.
protocol PlainNumber: Codable {
  /// Appends the number, without a comma; false if JSON has no such number.
  static func append(_ value: Self, to text: inout DigitBuffer) -> Bool

  /// Consumes a number; nil if only Foundation's coder can judge it.
  static func read(_ scanner: inout JSONScanner) -> Self?
}

extension PlainNumber where Self: FixedWidthInteger {
  @inline(__always)
  static func append(_ value: Self, to text: inout DigitBuffer) -> Bool {
    text.append(decimal: UInt64(truncatingIfNeeded: value.magnitude), isNegative: value < 0)
    return true
  }

  @inline(__always)
  static func read(_ scanner: inout JSONScanner) -> Self? { try? scanner.integer() }
}

extension PlainNumber where Self: BinaryFloatingPoint & LosslessStringConvertible {
  @inline(__always)
  static func append(_ value: Self, to text: inout DigitBuffer) -> Bool {
    guard value.isFinite else { return false }
    text.append(wholeOrNot: value.description)
    return true
  }

  @inline(__always)
  static func read(_ scanner: inout JSONScanner) -> Self? {
    guard let start = try? scanner.numberStart() else { return nil }
    return scanner.float(start..<scanner.position)
  }
}

extension Int: PackableNumber {}
extension Int8: PackableNumber {}
extension Int16: PackableNumber {}
extension Int32: PackableNumber {}
extension Int64: PackableNumber {}
extension UInt: PackableNumber {}
extension UInt8: PackableNumber {}
extension UInt16: PackableNumber {}
extension UInt32: PackableNumber {}
extension UInt64: PackableNumber {}
extension Double: PackableNumber {}
extension Float: PackableNumber {}

/// An array of numbers, as a type known only at run time.
protocol NumberArray {
  /// Writes the array; false if JSON lacks one of its numbers.
  func write(to writer: inout JSONWriter) -> Bool

  /// Reads a checked array of numbers; nil if only Foundation's coder can judge it.
  static func read(_ text: UnsafeRawBufferPointer) -> Self?

  /// The type and size of its content as a part of a packed value.
  var packed: (type: PackedType, count: Int) { get }
  func withBytes(_ body: (UnsafeRawBufferPointer) -> Void)

  /// Reads such a part; nil if the exact text is needed.
  static func read(_ part: UnsafeRawBufferPointer, of type: PackedType) -> Self?
}

extension Array: NumberArray where Element: PackableNumber {
  var packed: (type: PackedType, count: Int) {
    (Element.packedType(), count * MemoryLayout<Element>.size)
  }

  func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) { withUnsafeBytes(body) }

  static func read(_ part: UnsafeRawBufferPointer, of type: PackedType) -> Self? {
    type.converted(part)
  }

  @_specialize(where Element == Int)
  @_specialize(where Element == UInt8)
  @_specialize(where Element == Double)
  @_specialize(where Element == Float)
  @_specialize(where Element == Int32)
  @_specialize(where Element == UInt32)
  @_specialize(where Element == Int64)
  @_specialize(where Element == UInt64)
  @_specialize(where Element == UInt)
  @_specialize(where Element == Int16)
  @_specialize(where Element == UInt16)
  @_specialize(where Element == Int8)
  func write(to writer: inout JSONWriter) -> Bool { writer.numbers(self) }

  @_specialize(where Element == Int)
  @_specialize(where Element == UInt8)
  @_specialize(where Element == Double)
  @_specialize(where Element == Float)
  @_specialize(where Element == Int32)
  @_specialize(where Element == UInt32)
  @_specialize(where Element == Int64)
  @_specialize(where Element == UInt64)
  @_specialize(where Element == UInt)
  @_specialize(where Element == Int16)
  @_specialize(where Element == UInt16)
  @_specialize(where Element == Int8)
  static func read(_ text: UnsafeRawBufferPointer) -> Self? {
    var scanner = JSONScanner(text)
    var (numbers, isFirst) = (Self(), true)
    // Most numbers take more than two bytes with their comma.
    numbers.reserveCapacity(text.count / 3)
    guard (try? scanner.beginArray()) != nil else { return nil }
    while let hasElement = try? scanner.hasElement(&isFirst) {
      guard hasElement else { return numbers }
      guard let number = Element.read(&scanner) else { return nil }
      numbers.append(number)
    }
    return nil
  }
}

/// The arrays of numbers: found by comparing addresses, because a cast that looks for a conformance
/// costs more than a small value.
enum NumberArrays {
  private static var all: [any NumberArray.Type] {
    [
      [Int].self, [UInt8].self, [Double].self, [Float].self, [Int32].self, [UInt32].self,
      [Int64].self, [UInt64].self, [UInt].self, [Int16].self, [UInt16].self, [Int8].self,
    ]
  }

  private static let addresses = all.map { ObjectIdentifier($0) }

  /// The type as an array of numbers, if it is one.
  static func known<Value>(_ type: Value.Type) -> (any NumberArray.Type)? {
    // An array is a pointer, which most types are not.
    guard MemoryLayout<Value>.size == MemoryLayout<[Int]>.size else { return nil }
    return addresses.firstIndex(of: ObjectIdentifier(type)).map { all[$0] }
  }

  /// The value as an array of numbers, if it is one.
  static func known<Value>(_ value: Value) -> (any NumberArray)? {
    guard let type = known(Value.self) else { return nil }
    return array(of: type, value)
  }

  private static func array<Numbers: NumberArray>(
    of type: Numbers.Type,
    _ value: Any
  ) -> (any NumberArray)? {
    value as? Numbers
  }
}

/// A few numbers as text, before they are appended to a long one: one append for each is slow.
struct DigitBuffer {
  /// The text of one number, its sign, and a comma.
  static let longest = 32
  static let capacity = 4_096

  private let buffer: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  init(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
    self.buffer = buffer
  }

  var content: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: buffer[..<count]) }
  var isFull: Bool { count > buffer.count - Self.longest }
  mutating func removeAll() { count = 0 }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    buffer[count] = byte
    count += 1
  }

  @inline(__always)
  mutating func append(decimal value: UInt64, isNegative: Bool) {
    if isNegative { append(.minus) }
    var (end, limit) = (count + 1, UInt64(10))
    while value >= limit {
      end += 1
      let (next, overflow) = limit.multipliedReportingOverflow(by: 10)
      if overflow { break }
      limit = next
    }
    var (place, rest) = (end, value)
    repeat {
      place -= 1
      buffer[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    } while rest > 0
    count = end
  }

  /// Appends a number's description; whole ones without a fraction, as Foundation does.
  @inline(__always)
  mutating func append(wholeOrNot description: String) {
    var digits = description
    digits.withUTF8 { digits in
      let isWhole =
        digits.count > 2 && digits[digits.count - 2] == UInt8(ascii: ".")
        && digits[digits.count - 1] == UInt8(ascii: "0")
      for index in 0..<(isWhole ? digits.count - 2 : digits.count) { append(digits[index]) }
    }
  }
}

extension JSONWriter {
  /// Writes an array of numbers; false, after writing a part of it, if JSON lacks one of them.
  @inline(__always)
  mutating func numbers<Number: PlainNumber>(_ numbers: [Number]) -> Bool {
    beginArray()
    let isWhole = elements(numbers)
    endArray()
    return isWhole
  }

  /// Writes numbers with commas between them, as a part of an array; false, after writing some, if
  /// JSON lacks one of them.
  @inline(__always)
  mutating func elements<Number: PlainNumber>(_ numbers: [Number]) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: DigitBuffer.capacity) {
      var text = DigitBuffer($0)
      var isFirst = true
      for number in numbers {
        if !isFirst { text.append(.comma) }
        isFirst = false
        guard Number.append(number, to: &text) else { return false }
        guard text.isFull else { continue }
        bytes.append(contentsOf: text.content)
        text.removeAll()
      }
      bytes.append(contentsOf: text.content)
      return true
    }
  }
}

extension JSONScanner {
  /// Consumes an array if it holds only numbers; else consumes nothing, and reading the elements
  /// one by one finds the error.
  mutating func skipNumbers() -> Bool {
    let start = position
    var isFirst = true
    guard (try? beginArray()) != nil else { return false }
    while let hasElement = try? hasElement(&isFirst) {
      guard hasElement else { return true }
      guard (try? numberStart()) != nil else { break }
    }
    position = start
    return false
  }

  /// The number of a text; nil if Foundation refuses it, or must judge it.
  @inline(__always)
  func float<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    _ range: Range<Int>
  ) -> Number? {
    let digits = slice(range)
    if Number.self == Double.self, let number = Self.exact(digits) { return Number(number) }
    // Foundation refuses numbers out of range, and defines the range.
    guard let number = Number(String(decoding: digits, as: UTF8.self)),
      number.isNormal || number.isZero && Self.isPlainZero(digits)
    else { return nil }
    return number
  }

  private static func isPlainZero(_ digits: UnsafeBufferPointer<UInt8>) -> Bool {
    ["0", "-0", "0.0", "-0.0"].contains { $0.utf8.elementsEqual(digits) }
  }

  /// A number with at most 15 digits and no exponent: both it and the power of ten below it are
  /// exact, so that one division rounds as it must (Clinger, "How to read floating point numbers
  /// accurately", 1990).
  private static func exact(_ digits: UnsafeBufferPointer<UInt8>) -> Double? {
    guard digits.count <= 17 else { return nil }
    var (value, count, decimals) = (0, 0, -1)
    let isNegative = digits[0] == .minus
    for index in (isNegative ? 1 : 0)..<digits.count {
      if let digit = digits[index].digit {
        value = value * 10 + Int(digit)
        count += 1
        if decimals >= 0 { decimals += 1 }
      } else if digits[index] == UInt8(ascii: ".") {
        decimals = 0
      } else {
        return nil
      }
    }
    guard count <= 15, value > 0 else { return nil }
    let number = Double(value) / powers[max(decimals, 0)]
    return isNegative ? -number : number
  }

  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]
}

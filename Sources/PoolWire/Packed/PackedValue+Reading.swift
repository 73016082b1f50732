extension PackedValue {
  static let placeholder: StaticString = "null"

  /// Passes the content of a part to the closure.
  func withContent<Value, Thrown: Error>(
    of part: Part,
    _ body: (UnsafeRawBufferPointer) throws(Thrown) -> Value
  ) throws(Thrown) -> Value {
    try bytes.withUnsafeBufferPointer { bytes throws(Thrown) in
      try body(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[part.range])))
    }
  }

  /// Passes the text to the closure.
  func withText<Value, Thrown: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Thrown) -> Value
  ) throws(Thrown) -> Value {
    try bytes.withUnsafeBufferPointer { bytes throws(Thrown) in
      try body(UnsafeBufferPointer(rebasing: bytes[text]))
    }
  }
}

extension PackedType {
  /// The elements, if they have this type.
  func numbers<Number: PackableNumber>(_ content: UnsafeRawBufferPointer) -> [Number] {
    // See `Base64.decode(_:)` for what an array made with room for nothing does.
    guard !content.isEmpty else { return [] }
    let size = MemoryLayout<Number>.size
    return [Number](unsafeUninitializedCapacity: content.count / size) { buffer, count in
      count = content.count / size
      UnsafeMutableRawBufferPointer(buffer).copyMemory(from: content)
      guard isBigEndian != Self.isHostBigEndian, size > 1 else { return }
      for index in 0..<count { buffer[index] = buffer[index].byteSwappedNumber }
    }
  }

  /// The elements as numbers of another type; nil if the exact text is needed.
  func converted<Number: PackableNumber>(_ content: UnsafeRawBufferPointer) -> [Number]? {
    if self == Number.packedType(isBigEndian) { return numbers(content) }
    return switch (form, width) {
    case (.unsigned, 1): Number.convert(numbers(content) as [UInt8])
    case (.unsigned, 2): Number.convert(numbers(content) as [UInt16])
    case (.unsigned, 4): Number.convert(numbers(content) as [UInt32])
    case (.unsigned, 8): Number.convert(numbers(content) as [UInt64])
    case (.signed, 1): Number.convert(numbers(content) as [Int8])
    case (.signed, 2): Number.convert(numbers(content) as [Int16])
    case (.signed, 4): Number.convert(numbers(content) as [Int32])
    case (.signed, 8): Number.convert(numbers(content) as [Int64])
    // The shortest text of a float means another number in a different type.
    default: nil
    }
  }
}

/// A number that can be an element of a part.
protocol PackableNumber: PlainNumber {
  static var packedForm: PackedType.Form { get }
  var byteSwappedNumber: Self { get }
  /// The same numbers; nil if this type lacks one of them.
  static func convert(_ numbers: [some FixedWidthInteger]) -> [Self]?
}

extension PackableNumber {
  static func packedType(_ isBigEndian: Bool = PackedType.isHostBigEndian) -> PackedType {
    var type = PackedType(packedForm, width: MemoryLayout<Self>.size)
    if type.width > 1 { type.isBigEndian = isBigEndian }
    return type
  }
}

extension PackableNumber where Self: FixedWidthInteger {
  static var packedForm: PackedType.Form { isSigned ? .signed : .unsigned }
  var byteSwappedNumber: Self { byteSwapped }
  static func convert(_ numbers: [some FixedWidthInteger]) -> [Self]? {
    var converted: [Self] = []
    converted.reserveCapacity(numbers.count)
    for number in numbers {
      guard let number = Self(exactly: number) else { return nil }
      converted.append(number)
    }
    return converted
  }
}

extension PackableNumber where Self: BinaryFloatingPoint {
  static var packedForm: PackedType.Form { .float }
  static func convert(_ numbers: [some FixedWidthInteger]) -> [Self]? { numbers.map { Self($0) } }
}

extension Double { var byteSwappedNumber: Double { Double(bitPattern: bitPattern.byteSwapped) } }
extension Float { var byteSwappedNumber: Float { Float(bitPattern: bitPattern.byteSwapped) } }

extension PackedValue {
  /// Throws unless the bytes are a packed value of one JSON value.
  package static func check(_ bytes: [UInt8]) throws(PackedError) {
    let value = try PackedValue(bytes)
    for (index, part) in value.parts.enumerated() {
      let isValid = value.withContent(of: part) { part.type.isValid($0) }
      guard isValid else { throw PackedError("part \(index) has content that JSON cannot have") }
    }
    let text = Array(bytes[value.text])
    do throws(JSONError) {
      try JSONScanner.check(text)
    } catch {
      throw PackedError("its text is not JSON: \(error)")
    }
    let found = countParts(value.parts, in: text)
    guard found == value.parts.count else {
      throw PackedError("part \(found) is at no 'null' of its text")
    }
  }

  /// Number of parts, from the first on, that stand for a `null` of a valid JSON text.
  ///
  /// Stores nothing of the text, which would take far more memory as a tree. Outside strings, only
  /// `null` begins with an "n".
  private static func countParts(_ parts: [Part], in text: [UInt8]) -> Int {
    text.withUnsafeBufferPointer { text in
      var (index, found) = (0, 0)
      while found < parts.count, index <= parts[found].offset {
        if text[index] == .quote {
          index = endOfString(from: index, in: text)
        } else if index < parts[found].offset {
          index += 1
        } else if text[index] == placeholder.utf8Start[0] {
          found += 1
          index += placeholder.utf8CodeUnitCount
        } else {
          break
        }
      }
      return found
    }
  }

  /// The offset after a string that begins here.
  private static func endOfString(from start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
    var index = start + 1
    while text[index] != .quote { index += text[index] == .backslash ? 2 : 1 }
    return index + 1
  }

  /// The JSON of a value that may be packed; throws if the packed value is wrong.
  package static func json(_ bytes: [UInt8]) throws(PackedError) -> [UInt8] {
    guard isPacked(bytes) else { return bytes }
    try check(bytes)
    return try PackedValue(bytes).json
  }

  /// The JSON of a packed value that has been checked.
  private var json: [UInt8] {
    var writer = JSONWriter(capacity: text.count + (bytes.count - text.upperBound) * 2)
    var start = text.lowerBound
    for part in parts {
      let end = text.lowerBound + part.offset
      writer.append(bytes[start..<end])
      withContent(of: part) { part.type.write($0, to: &writer) }
      start = end + Self.placeholder.utf8CodeUnitCount
    }
    writer.append(bytes[start..<text.upperBound])
    return writer.bytes
  }

  static let placeholder: StaticString = "null"

  /// Passes the content of a part to the closure.
  func withContent<Value>(of part: Part, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[part.range])) }
  }
}

extension PackedType {
  /// Whether a JSON text could have this content: JSON has no infinite numbers, and its strings are
  /// UTF-8.
  func isValid(_ content: UnsafeRawBufferPointer) -> Bool {
    switch (form, width) {
    case (.text, _): content.withMemoryRebound(to: UInt8.self) { UTF8Check.isValid($0) }
    case (.float, 8): Self.areFinite(content, isBigEndian, UInt64(0x7FF0) << 48)
    case (.float, _): Self.areFinite(content, isBigEndian, UInt32(0x7F80) << 16)
    default: true
    }
  }

  /// Whether no number has all bits of its exponent set.
  @inline(__always)
  private static func areFinite<Bits: FixedWidthInteger>(
    _ content: UnsafeRawBufferPointer,
    _ isBigEndian: Bool,
    _ exponent: Bits
  ) -> Bool {
    let mask = isBigEndian ? exponent.bigEndian : exponent.littleEndian
    var found: Bits = 0
    for offset in stride(from: 0, to: content.count, by: MemoryLayout<Bits>.size) {
      let bits = content.loadUnaligned(fromByteOffset: offset, as: Bits.self)
      found |= bits & mask == mask ? 1 : 0
    }
    return found == 0
  }

  /// Writes the content as JSON.
  func write(_ content: UnsafeRawBufferPointer, to writer: inout JSONWriter) {
    switch (form, width) {
    case (.bytes, _): writer.base64(content)
    case (.text, _): content.withMemoryRebound(to: UInt8.self) { writer.string($0) }
    case (.unsigned, 1): write(content, UInt8.self, &writer)
    case (.unsigned, 2): write(content, UInt16.self, &writer)
    case (.unsigned, 4): write(content, UInt32.self, &writer)
    case (.unsigned, _): write(content, UInt64.self, &writer)
    case (.signed, 1): write(content, Int8.self, &writer)
    case (.signed, 2): write(content, Int16.self, &writer)
    case (.signed, 4): write(content, Int32.self, &writer)
    case (.signed, _): write(content, Int64.self, &writer)
    case (.float, 4): write(content, Float.self, &writer)
    case (.float, _): write(content, Double.self, &writer)
    }
    // The text has its own commas.
    writer.endPart()
  }

  private func write<Number: PackableNumber>(
    _ content: UnsafeRawBufferPointer,
    _ type: Number.Type,
    _ writer: inout JSONWriter
  ) {
    let isWritten = writer.numbers(numbers(content) as [Number])
    precondition(isWritten, "a packed value's numbers were checked")
  }

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

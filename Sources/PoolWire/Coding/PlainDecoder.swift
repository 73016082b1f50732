/// The decoder that a value's code reads from.
struct PlainDecoder: Decoder {
  let text: ParsedText
  let index: Int

  var codingPath: [any CodingKey] { text.unknownPath }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try text.require(.object, at: index, [String: Any].self)
    return KeyedDecodingContainer(ParsedObject(text: text, index: index))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try text.require(.array, at: index, [Any].self)
    return ParsedArray(text: text, index: index)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    ParsedScalar(text: text, index: index)
  }
}

extension ParsedText {
  /// Coding paths are not tracked; asking for one falls back to Foundation.
  var unknownPath: [any CodingKey] {
    isUnusual = true
    return []
  }

  /// Throws a type mismatch if a value is of another kind.
  @inline(__always)
  func require(_ kind: JSONScanner.Token, at index: Int, _ type: Any.Type) throws {
    guard entries[index].kind == kind else { throw mismatch(at: index, type) }
  }

  private func mismatch(at index: Int, _ type: Any.Type) -> DecodingError {
    let context = DecodingError.Context(codingPath: [], debugDescription: "another kind of value")
    return entries[index].kind == .null
      ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  /// A whole number without fraction and exponent.
  func integer<Number: FixedWidthInteger>(at index: Int) throws -> Number {
    try require(.number, at: index, Number.self)
    let range = entries[index].range
    let number: Number? = bytes.withUnsafeBytes { bytes in
      var scanner = JSONScanner(UnsafeRawBufferPointer(rebasing: bytes[range]))
      return try? scanner.integer()
    }
    guard let number else { throw unusual() }
    return number
  }

  func float<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    at index: Int
  ) throws -> Number {
    try require(.number, at: index, Number.self)
    let range = entries[index].range
    let number: Number? = bytes.withUnsafeBytes { JSONScanner($0).float(range) }
    guard let number else { throw unusual() }
    return number
  }
}

/// A value that is not a container, or another value in its place.
struct ParsedScalar: SingleValueDecodingContainer {
  let text: ParsedText
  let index: Int

  var codingPath: [any CodingKey] { text.unknownPath }

  func decodeNil() -> Bool { text.entries[index].kind == .null }

  func decode(_ type: Bool.Type) throws -> Bool {
    try text.require(.bool, at: index, type)
    return text.bytes[text.entries[index].range.lowerBound] == UInt8(ascii: "t")
  }

  func decode(_ type: String.Type) throws -> String {
    try text.require(.string, at: index, type)
    return text.string(at: index)
  }

  func decode(_ type: Double.Type) throws -> Double { try text.float(at: index) }
  func decode(_ type: Float.Type) throws -> Float { try text.float(at: index) }
  func decode(_ type: Int.Type) throws -> Int { try text.integer(at: index) }
  func decode(_ type: Int8.Type) throws -> Int8 { try text.integer(at: index) }
  func decode(_ type: Int16.Type) throws -> Int16 { try text.integer(at: index) }
  func decode(_ type: Int32.Type) throws -> Int32 { try text.integer(at: index) }
  func decode(_ type: Int64.Type) throws -> Int64 { try text.integer(at: index) }
  func decode(_ type: UInt.Type) throws -> UInt { try text.integer(at: index) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try text.integer(at: index) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try text.integer(at: index) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try text.integer(at: index) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try text.integer(at: index) }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try text.value(type, at: index)
  }
}

/// A decoding container over an object.
struct ParsedObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let text: ParsedText
  let index: Int

  var codingPath: [any CodingKey] { text.unknownPath }

  var allKeys: [Key] {
    var keys: [Key] = []
    var place = index + 1
    while place < text.entries[index].next {
      if let key = Key(stringValue: text.string(at: place)) { keys.append(key) }
      place = text.entries[place + 1].next
    }
    return keys
  }

  func contains(_ key: Key) -> Bool {
    // An error is recorded in the text.
    (try? text.value(of: key.stringValue, in: index)) != nil
  }

  /// Reads the value of a key; the next key is searched after it.
  ///
  /// Inlined, because as a generic function it would return the value in memory, twice.
  @inline(__always)
  private func field<Value>(_ key: Key, _ read: (ParsedScalar) throws -> Value) throws -> Value {
    guard let place = try text.value(of: key.stringValue, in: index) else {
      let context = DecodingError.Context(codingPath: [], debugDescription: "no such key")
      throw DecodingError.keyNotFound(key, context)
    }
    let value = try read(ParsedScalar(text: text, index: place))
    text.hint = text.entries[place].next
    return value
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    guard let place = try text.value(of: key.stringValue, in: index) else {
      return try field(key) { $0.decodeNil() }
    }
    return text.entries[place].kind == .null
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try field(key) { try $0.decode(type) }
  }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try field(key) { try $0.decode(type) }
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try field(key) { try $0.decode(type) }
  }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try field(key) { try $0.decode(type) }
  }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try field(key) { try $0.decode(type) }
  }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
    try field(key) { try $0.decode(type) }
  }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
    try field(key) { try $0.decode(type) }
  }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
    try field(key) { try $0.decode(type) }
  }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try field(key) { try $0.decode(type) }
  }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
    try field(key) { try $0.decode(type) }
  }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
    try field(key) { try $0.decode(type) }
  }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try field(key) { try $0.decode(type) }
  }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try field(key) { try $0.decode(type) }
  }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try field(key) { try $0.decode(type) }
  }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try field(key) { try $0.decode(type) }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try field(key) { try PlainDecoder(text: text, index: $0.index).container(keyedBy: type) }
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try field(key) { try PlainDecoder(text: text, index: $0.index).unkeyedContainer() }
  }

  func superDecoder() throws -> any Decoder { throw text.unusual() }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw text.unusual() }
}

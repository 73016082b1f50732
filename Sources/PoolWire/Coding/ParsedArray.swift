/// A decoding container over an array.
struct ParsedArray: UnkeyedDecodingContainer {
  let text: ParsedText
  let index: Int
  private(set) var currentIndex = 0
  private var place: Int
  private let elements: Range<Int>

  init(text: ParsedText, index: Int) {
    self.text = text
    self.index = index
    elements = text.elements(of: index)
    place = elements.lowerBound
  }

  var codingPath: [any CodingKey] { text.unknownPath }
  var isAtEnd: Bool { place == elements.upperBound }

  var count: Int? {
    var (count, place) = (0, elements.lowerBound)
    while place < elements.upperBound {
      count += 1
      place = text.entries[place].next
    }
    return count
  }

  /// Reads the next element, which stays the next one if it has another type.
  private mutating func element<Value>(_ read: (ParsedScalar) throws -> Value) throws -> Value {
    guard !isAtEnd else {
      let context = DecodingError.Context(codingPath: [], debugDescription: "no more elements")
      throw DecodingError.valueNotFound(Value.self, context)
    }
    let value = try read(ParsedScalar(text: text, index: place))
    advance()
    return value
  }

  private mutating func advance() {
    place = text.entries[place].next
    currentIndex += 1
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd else { return try element { $0.decodeNil() } }
    guard text.entries[place].kind == .null else { return false }
    advance()
    return true
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { try element { try $0.decode(type) } }
  mutating func decode(_ type: String.Type) throws -> String { try element { try $0.decode(type) } }
  mutating func decode(_ type: Double.Type) throws -> Double { try element { try $0.decode(type) } }
  mutating func decode(_ type: Float.Type) throws -> Float { try element { try $0.decode(type) } }
  mutating func decode(_ type: Int.Type) throws -> Int { try element { try $0.decode(type) } }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try element { try $0.decode(type) } }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try element { try $0.decode(type) } }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try element { try $0.decode(type) } }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try element { try $0.decode(type) } }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try element { try $0.decode(type) } }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try element { try $0.decode(type) } }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try element { try $0.decode(type) } }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try element { try $0.decode(type) } }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try element { try $0.decode(type) } }
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try element { try $0.decode(type) }
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    let text = text
    return try element { try PlainDecoder(text: text, index: $0.index).container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let text = text
    return try element { try PlainDecoder(text: text, index: $0.index).unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { throw text.unusual() }
}

/// The encoder that a value's code writes to.
struct PlainEncoder: Encoder {
  let text: JSONEncodingState

  var codingPath: [any CodingKey] { text.unknownPath }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(KeyedText(text: text, place: text.open(isObject: true)))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    ListedText(text: text, place: text.open(isObject: false))
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleText(text: text)
  }
}

extension JSONEncodingState {
  /// Coding paths are not tracked; asking for one falls back to Foundation.
  var unknownPath: [any CodingKey] {
    refuse()
    return []
  }

  func integer(_ value: some FixedWidthInteger) {
    scalar { $0.integer(value) }
  }

  /// Writes numbers as Foundation does: whole ones without a fraction.
  func float(_ value: some BinaryFloatingPoint & CustomStringConvertible) {
    guard value.isFinite else { return refuse() }
    if let value = value as? Double, let decimal = ShortDecimal(value) {
      return scalar { $0.decimal(decimal) }
    }
    var digits = value.description
    digits.withUTF8 { digits in
      let isWhole =
        digits.count > 2 && digits[digits.count - 2] == UInt8(ascii: ".")
        && digits[digits.count - 1] == UInt8(ascii: "0")
      let count = isWhole ? digits.count - 2 : digits.count
      scalar { $0.raw(UnsafeBufferPointer(rebasing: digits[..<count])) }
    }
  }
}

/// A value that is not a container, or another value in its place.
struct SingleText: SingleValueEncodingContainer {
  let text: JSONEncodingState

  var codingPath: [any CodingKey] { text.unknownPath }

  func encodeNil() { text.scalar { $0.null() } }
  func encode(_ value: Bool) { text.scalar { $0.bool(value) } }
  func encode(_ value: String) { text.string(value) }
  func encode(_ value: Double) { text.float(value) }
  func encode(_ value: Float) { text.float(value) }
  func encode(_ value: Int) { text.integer(value) }
  func encode(_ value: Int8) { text.integer(value) }
  func encode(_ value: Int16) { text.integer(value) }
  func encode(_ value: Int32) { text.integer(value) }
  func encode(_ value: Int64) { text.integer(value) }
  func encode(_ value: UInt) { text.integer(value) }
  func encode(_ value: UInt8) { text.integer(value) }
  func encode(_ value: UInt16) { text.integer(value) }
  func encode(_ value: UInt32) { text.integer(value) }
  func encode(_ value: UInt64) { text.integer(value) }
  func encode<Value: Encodable>(_ value: Value) throws { try text.value(value) }
}

/// An encoding container for an object.
struct KeyedText<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let text: JSONEncodingState
  let place: JSONEncodingState.Place

  var codingPath: [any CodingKey] { text.unknownPath }

  @inline(__always)
  private func field(_ key: Key) -> SingleText {
    text.begin(key.stringValue, in: place)
    return SingleText(text: text)
  }

  func encodeNil(forKey key: Key) { field(key).encodeNil() }
  func encode(_ value: Bool, forKey key: Key) { field(key).encode(value) }
  func encode(_ value: String, forKey key: Key) { field(key).encode(value) }
  func encode(_ value: Double, forKey key: Key) { field(key).encode(value) }
  func encode(_ value: Float, forKey key: Key) { field(key).encode(value) }
  func encode(_ value: Int, forKey key: Key) { field(key).encode(value) }
  func encode(_ value: Int8, forKey key: Key) { field(key).encode(value) }
  func encode(_ value: Int16, forKey key: Key) { field(key).encode(value) }
  func encode(_ value: Int32, forKey key: Key) { field(key).encode(value) }
  func encode(_ value: Int64, forKey key: Key) { field(key).encode(value) }
  func encode(_ value: UInt, forKey key: Key) { field(key).encode(value) }
  func encode(_ value: UInt8, forKey key: Key) { field(key).encode(value) }
  func encode(_ value: UInt16, forKey key: Key) { field(key).encode(value) }
  func encode(_ value: UInt32, forKey key: Key) { field(key).encode(value) }
  func encode(_ value: UInt64, forKey key: Key) { field(key).encode(value) }
  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try field(key).encode(value)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    text.begin(key.stringValue, in: place)
    return PlainEncoder(text: text).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    text.begin(key.stringValue, in: place)
    return PlainEncoder(text: text).unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    text.refuse()
    return PlainEncoder(text: text)
  }

  func superEncoder(forKey key: Key) -> any Encoder { superEncoder() }
}

/// An encoding container for an array.
struct ListedText: UnkeyedEncodingContainer {
  let text: JSONEncodingState
  let place: JSONEncodingState.Place

  var codingPath: [any CodingKey] { text.unknownPath }
  var count: Int { text.count(in: place) }

  private var element: SingleText {
    text.beginElement(in: place)
    return SingleText(text: text)
  }

  func encodeNil() { element.encodeNil() }
  func encode(_ value: Bool) { element.encode(value) }
  func encode(_ value: String) { element.encode(value) }
  func encode(_ value: Double) { element.encode(value) }
  func encode(_ value: Float) { element.encode(value) }
  func encode(_ value: Int) { element.encode(value) }
  func encode(_ value: Int8) { element.encode(value) }
  func encode(_ value: Int16) { element.encode(value) }
  func encode(_ value: Int32) { element.encode(value) }
  func encode(_ value: Int64) { element.encode(value) }
  func encode(_ value: UInt) { element.encode(value) }
  func encode(_ value: UInt8) { element.encode(value) }
  func encode(_ value: UInt16) { element.encode(value) }
  func encode(_ value: UInt32) { element.encode(value) }
  func encode(_ value: UInt64) { element.encode(value) }
  func encode<Value: Encodable>(_ value: Value) throws { try element.encode(value) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    text.beginElement(in: place)
    return PlainEncoder(text: text).container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    text.beginElement(in: place)
    return PlainEncoder(text: text).unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    text.refuse()
    return PlainEncoder(text: text)
  }
}

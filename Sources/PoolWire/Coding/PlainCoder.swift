/// Converts values to JSON and back, by their own `Codable` code, several times as fast as
/// Foundation's coders.
///
/// It handles only common requests. For anything else (coding paths, super coders, two containers
/// at once, numbers in uncommon notation), and for every error, the result is nil: then
/// Foundation's coder decides, and describes the error.
package enum PlainCoder {
  /// The JSON of a value, or a packed value if `packs` allows it and the value has large parts; nil
  /// if Foundation's coder must take over.
  package static func encode(
    _ value: some Encodable,
    foreign: ForeignTypes,
    packs: Bool = false
  ) -> [UInt8]? {
    let text = JSONEncodingState(foreign: foreign, packs: packs)
    do {
      try text.value(value)
    } catch {
      return nil
    }
    return text.finish()
  }

  /// The value of a JSON text or of a packed value; nil if Foundation's coder must take over.
  package static func decode<Value: Decodable>(
    _ type: Value.Type,
    from json: [UInt8],
    foreign: ForeignTypes
  ) -> Value? {
    try? value(type, from: json, foreign: foreign)
  }

  /// Like `decode(_:from:foreign:)`, but throws where that returns nil.
  ///
  /// An optional of a generic type looks up its metadata, which takes as long as a field.
  package static func value<Value: Decodable>(
    _ type: Value.Type,
    from json: [UInt8],
    foreign: ForeignTypes
  ) throws -> Value {
    var text = ParsedText(foreign: foreign)
    return try value(type, from: json, &text)
  }

  /// The same, by a text that nothing else refers to.
  static func value<Value: Decodable>(
    _ type: Value.Type,
    from json: [UInt8],
    _ text: inout ParsedText
  ) throws -> Value {
    try text.parse(json)
    guard !text.isUnusual else { throw UnusualRequest() }
    let value = try text.value(type, at: 0)
    // A container that the value has kept could still be read, after this check.
    guard !text.isUnusual, isKnownUniquelyReferenced(&text), text.isUTF8 else {
      throw UnusualRequest()
    }
    return value
  }
}

/// A request of a value's code that only Foundation's coder handles.
struct UnusualRequest: Error {}

/// Values to JSON and back, by their own `Codable` code, several times as fast as Foundation's
/// coders.
///
/// Only what is usual is done here. Whatever else a value's code asks for (its path, a super coder,
/// two containers at once, a number that is written as nobody writes it) makes the answer nil, and
/// so does every error: then Foundation's coder decides, and says what is wrong.
package enum PlainCoder {
  /// Types for which Foundation has forms of its own.
  package typealias ForeignTypes = (Any.Type) -> Bool

  /// The JSON of a value; nil where Foundation's coder is to be asked.
  package static func encode(
    _ value: some Encodable,
    foreign: @escaping ForeignTypes
  ) -> [UInt8]? {
    let text = TextUnderway(foreign: foreign)
    do {
      try text.value(value)
    } catch {
      return nil
    }
    return text.isUnusual ? nil : text.writer.bytes
  }

  /// The value of a JSON text; nil where Foundation's coder is to be asked.
  package static func decode<Value: Decodable>(
    _ type: Value.Type,
    from json: [UInt8],
    foreign: @escaping ForeignTypes
  ) -> Value? {
    guard let document = try? ParsedText(json, foreign: foreign),
      let value = try? document.value(type, at: 0)
    else { return nil }
    return document.isUnusual ? nil : value
  }
}

/// What a value's code asked for that is not done here.
struct UnusualRequest: Error {}

/// A key that is known by its text or its number alone.
struct PlainKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = "\(intValue)"
    self.intValue = intValue
  }
}

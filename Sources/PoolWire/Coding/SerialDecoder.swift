/// Decodes one value after another, on one thread, in the same memory; ``PlainCoder`` allocates
/// memory for each value.
package struct SerialDecoder {
  private let foreign: ForeignTypes
  private var text: ParsedText

  package init(foreign: ForeignTypes) {
    self.foreign = foreign
    text = ParsedText(foreign: foreign)
  }

  /// What ``PlainCoder/value(_:from:foreign:)`` returns.
  package mutating func value<Value: Decodable>(
    _ type: Value.Type,
    from json: [UInt8]
  ) throws -> Value {
    defer {
      // The value's code may have kept a container, and could read from it.
      if isKnownUniquelyReferenced(&text) {
        text.clear()
      } else {
        text = ParsedText(foreign: foreign)
      }
    }
    return try PlainCoder.value(type, from: json, &text)
  }
}

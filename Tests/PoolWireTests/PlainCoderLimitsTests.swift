import Foundation
import PoolWire
import Testing

/// Contract: code of a value that few types have leads to Foundation's result, or to Foundation.
@Suite("Values whose code does unusual things")
struct PlainCoderLimitsTests {
  private static let noTypes = ForeignTypes(
    includes: { _ in false },
    form: { _ in nil },
    value: { _, _ in nil }
  )

  private func encoded(_ value: some Encodable) -> [UInt8]? {
    PlainCoder.encode(value, foreign: Self.noTypes)
  }

  private func decoded<Value: Decodable>(_ type: Value.Type, _ json: String) -> Value? {
    PlainCoder.decode(type, from: Array(json.utf8), foreign: Self.noTypes)
  }

  private enum Key: String, CodingKey { case first, second, last }

  @Test("a value that keeps its container is decoded by Foundation")
  func keptContainer() {
    struct Lazy: Decodable {
      let container: KeyedDecodingContainer<Key>
      init(from decoder: any Decoder) throws {
        container = try decoder.container(keyedBy: Key.self)
      }
    }
    struct Eager: Decodable { let first: Int }
    #expect(decoded(Lazy.self, #"{"first":1}"#) == nil)
    #expect(decoded(Eager.self, #"{"first":1}"#)?.first == 1)
  }

  private struct Broken: Encodable {
    struct Refusal: Error {}
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(1, forKey: .first)
      throw Refusal()
    }
  }

  @Test("what a part that throws has written is not in the text of one that catches the error")
  func caughtErrors() {
    struct Fields: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: .first)
        try? container.encode(Broken(), forKey: .second)
        try container.encode(2, forKey: .last)
      }
    }
    struct Elements: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(1)
        try? container.encode(Broken())
        try container.encode(2)
      }
    }
    #expect(encoded(Fields()) == nil)
    #expect(encoded(Elements()) == nil)
    var series = SerialEncoder(foreign: Self.noTypes, packs: false)
    #expect(series.encode(Fields()) == nil)
    #expect(series.encode([1]) == Array("[1]".utf8))
  }

  @Test("code that adds elements up to a count comes to its end where Foundation takes over")
  func counts() {
    struct Elements: Encodable {
      let first: Double
      func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(first)
        while container.count < 5 { try container.encode(container.count) }
      }
    }
    struct Closed: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        var inner = container.nestedUnkeyedContainer()
        try inner.encode(1)
        try container.encode(2)
        // Only the innermost container can be written to.
        while inner.count < 5 { try inner.encode(3) }
      }
    }
    #expect(encoded(Elements(first: 1)) == Array("[1,1,2,3,4]".utf8))
    #expect(encoded(Elements(first: .nan)) == nil)
    #expect(encoded(Closed()) == nil)
  }

  @Test(
    "code of a value sees no keys that are not as in the text",
    arguments: [#"{"a\/b":1}"#, #"{"c\nd":1}"#, #"{"\u0061":1}"#, #"{"é":1}"#, #"{"a":1,"a":2}"#]
  )
  func keys(json: String) {
    struct Seen: Decodable {
      @TaskLocal static var isAllowed = true
      init(from decoder: any Decoder) throws {
        #expect(Self.isAllowed, "its code is called with these keys")
      }
    }
    Seen.$isAllowed.withValue(false) { #expect(decoded(Seen.self, json) == nil) }
    #expect(decoded(Seen.self, #"{"a":1}"#) != nil)
  }

  @Test("keys that are equal to Foundation, but not in their bytes, are left to it")
  func equalKeys() {
    let (composed, decomposed) = ("\u{e9}", "e\u{301}")
    #expect(encoded(Fields(keys: [composed, "e"])) == Array(#"{"é":1,"e":2}"#.utf8))
    #expect(encoded(Fields(keys: [composed, decomposed])) == nil)
    #expect(encoded(Fields(keys: [decomposed, "x", composed])) == nil)
    // The sign of Kelvin is equal to a K.
    #expect(encoded(Fields(keys: ["\u{212a}", "K"])) == nil)
    #expect(encoded(Fields(keys: ["K", "\u{212a}"])) == nil)
    #expect(encoded(Fields(keys: ["K", "k"])) != nil)
  }

  /// An object with these keys.
  private struct Fields: Encodable {
    struct Name: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    let keys: [String]

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Name.self)
      for (index, key) in keys.enumerated() {
        try container.encode(index + 1, forKey: Name(stringValue: key))
      }
    }
  }
}

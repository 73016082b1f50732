import Foundation
import PoolTestSupport
import PoolWire
import Testing

/// Contract: what the plain coder writes, Foundation reads as the same value, and the other way;
/// where it answers at all, its answer is Foundation's.
@Suite("The plain coder beside Foundation's")
struct PlainCoderTests {
  /// Leaves them to Foundation's coder, with all that is around them.
  private static let foreignTypes = ForeignTypes(
    includes: { $0 == Data.self || $0 == URL.self || $0 == Decimal.self },
    form: { _ in nil },
    value: { _, _ in nil }
  )

  private func encoded(_ value: some Encodable) -> [UInt8]? {
    PlainCoder.encode(value, foreign: Self.foreignTypes)
  }

  private func decoded<Value: Decodable>(_ type: Value.Type, _ json: [UInt8]) -> Value? {
    PlainCoder.decode(type, from: json, foreign: Self.foreignTypes)
  }

  private func text(_ json: [UInt8]) -> String { String(decoding: json, as: UTF8.self) }

  @Test("A value of many forms is the same through both, in all four ways")
  func roundTrips() throws {
    for seed in 0..<300 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let sample = CodedSample.random(using: &generator)
      let ours = try #require(encoded(sample), "seed \(seed)")
      let theirs = Array(try JSONEncoder().encode(sample))
      let decoder = JSONDecoder()
      #expect(try decoder.decode(CodedSample.self, from: Data(ours)) == sample, "seed \(seed)")
      #expect(decoded(CodedSample.self, ours) == sample, "seed \(seed)")
      #expect(decoded(CodedSample.self, theirs) == sample, "seed \(seed)")
    }
  }

  /// Where the text is not right, it does not answer; nor where Foundation is more generous.
  private func compare<Value: Decodable & Equatable>(
    _ type: Value.Type,
    _ json: [UInt8],
    _ seed: UInt64
  ) -> Bool {
    guard let value = decoded(type, json) else { return false }
    let theirs = try? JSONDecoder().decode(type, from: Data(json))
    #expect(theirs == value, "seed \(seed), \(type): \(text(json))")
    return true
  }

  @Test("Of texts with random changes, it reads none that Foundation refuses or reads otherwise")
  func mutatedTexts() throws {
    var read = 0
    for seed in 0..<4_000 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let sample = CodedSample.random(depth: 0, using: &generator)
      let changed = mutated(Array(try JSONEncoder().encode(sample)), using: &generator)
      read += compare(CodedSample.self, changed, seed) ? 1 : 0
      let other = mutated(randomDocument(using: &generator), using: &generator)
      _ = compare([String: [Double]].self, other, seed)
      _ = compare([Double?].self, other, seed)
      _ = compare([String: String].self, other, seed)
      _ = compare(Lenient.self, other, seed)
    }
    #expect(read > 400)
  }

  /// Takes what comes, as a union does.
  private indirect enum Lenient: Decodable, Equatable {
    case integer(Int)
    case number(Double)
    case text(String)
    case flag(Bool)
    case null
    case list([Lenient])
    case table([String: Lenient])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let integer = try? container.decode(Int.self) {
        self = .integer(integer)
      } else if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else if let text = try? container.decode(String.self) {
        self = .text(text)
      } else if let flag = try? container.decode(Bool.self) {
        self = .flag(flag)
      } else if let list = try? container.decode([Lenient].self) {
        self = .list(list)
      } else {
        self = .table(try container.decode([String: Lenient].self))
      }
    }
  }

  @Test(
    "Scalars are read as Foundation reads them, or left to it",
    arguments: [
      "0", "-0", "1", "1.0", "1e2", "-128", "128", "255", "256", "1.5", "18446744073709551616",
      "1e400",
      "1e-320", "1e-400", "-0.0", "0e9", "1e-46",
      "0.1", "16777217", "null", "true", "\"1\"", "\"\\u00e9\"", "01", "1.", "+1", " 1 ", "", "[1]",
      "{}",
    ]
  )
  func scalars(json: String) {
    let bytes = Array(json.utf8)
    _ = compare(Int.self, bytes, 0)
    _ = compare(Int8.self, bytes, 0)
    _ = compare(UInt8.self, bytes, 0)
    _ = compare(Double.self, bytes, 0)
    _ = compare(Float.self, bytes, 0)
    _ = compare(Bool.self, bytes, 0)
    _ = compare(String.self, bytes, 0)
    _ = compare(Int?.self, bytes, 0)
    _ = compare([Int].self, bytes, 0)
  }

  // MARK: - What is left to Foundation

  @Test("Types that Foundation writes in its own way are left to it, wherever they are")
  func foreignTypes() throws {
    let url = try #require(URL(string: "https://example.org/a"))
    #expect(encoded(url) == nil)
    #expect(encoded([Data([1, 2])]) == nil)
    #expect(encoded(["price": Decimal(1)]) == nil)
    #expect(decoded([String: Data].self, Array(#"{"a":"AQ=="}"#.utf8)) == nil)
    #expect(decoded([URL].self, Array(#"["a:b"]"#.utf8)) == nil)
  }

  private struct Writing: Encodable {
    var body: @Sendable (any Encoder) throws -> Void
    func encode(to encoder: any Encoder) throws { try body(encoder) }
  }

  @Test("What is unusual is left to it: nothing, twice, in between, above, and where")
  func unusualEncoding() {
    #expect(encoded(Double.infinity) == nil)
    #expect(encoded(Writing { _ in }) == nil)
    #expect(encoded(["a": Writing { _ in }]) == nil)
    let bodies: [@Sendable (any Encoder) throws -> Void] = [
      { encoder in
        var fields = encoder.container(keyedBy: AnyKey.self)
        try fields.encode(1, forKey: "a")
        try fields.encode(2, forKey: "a")
      },
      { encoder in
        var container = encoder.singleValueContainer()
        try container.encode(1)
        try container.encode("a")
      },
      { encoder in
        var first = encoder.container(keyedBy: AnyKey.self)
        try first.encode(1, forKey: "a")
        var second = encoder.container(keyedBy: AnyKey.self)
        try second.encode(2, forKey: "b")
      },
      { encoder in
        var fields = encoder.container(keyedBy: AnyKey.self)
        var inner = fields.nestedUnkeyedContainer(forKey: "a")
        try fields.encode(2, forKey: "b")
        try inner.encode(1)
      },
      { encoder in
        var fields = encoder.container(keyedBy: AnyKey.self)
        try fields.encode(1, forKey: "a")
        var inner = fields.nestedContainer(keyedBy: AnyKey.self, forKey: "b")
        try inner.encode(2, forKey: "c")
        try fields.encode(3, forKey: "a")
      },
      { encoder in
        var fields = encoder.container(keyedBy: AnyKey.self)
        try 1.encode(to: fields.superEncoder())
      },
      { encoder in
        var container = encoder.singleValueContainer()
        try container.encode(encoder.codingPath.count)
      },
    ]
    for (index, body) in bodies.enumerated() {
      #expect(encoded(Writing(body: body)) == nil, "body \(index)")
      #expect(encoded([Writing(body: body)]) == nil, "body \(index) in a list")
    }
  }

  @Test("Doubles are written shortly and read exactly, and must be finite")
  func doubles() throws {
    let values = [
      0, 0.1, -0.1, -2.5e-300, 1.5e300, 12, 123_456_789.125, 1e-5, 1e16,
      .greatestFiniteMagnitude, .leastNormalMagnitude,
    ]
    for value in values as [Double] {
      #expect(decoded(Double.self, Array("\(value)".utf8)) == value)
      #expect(decoded(Double.self, try #require(encoded(value))) == value)
    }
    #expect(decoded(Double.self, Array("1e999".utf8)) == nil)
  }

  @Test("A double is written as its description, whole ones without a fraction")
  func descriptions() throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    var seeded = SeededGenerator(seed: seed)
    var values: [Double] = [
      0, -0.0, 0.001, 0.0005, 0.1 + 0.2, 1e14 + 0.5, 1e15, 1e15 - 1, 1e15 + 2, 0.999, 0.9995,
      123_456_789_012.345, 1_234_567_890_123.456, 9_007_199_254_740_992, 70.7, 68.9, -21.5,
      0.0001, 0.00001, 0.000025,
    ]
    for _ in 0..<20_000 {
      let digits = Double(Int64.random(in: -10_000_000...10_000_000, using: &seeded))
      let large = Double(Int64.random(in: 0...2_000_000_000_000_000_000, using: &seeded))
      for scale in [1.0, 10, 100, 1_000, 10_000] { values += [digits / scale, large / scale] }
      values.append((digits / 1_000).nextUp)
    }
    for value in values {
      let expected = value.description
      let json = try #require(encoded(value), "seed \(seed): \(value)")
      #expect(text(json) == (expected.hasSuffix(".0") ? String(expected.dropLast(2)) : expected))
    }
    #expect(encoded(Double.nan) == nil && encoded(-Double.infinity) == nil)
    #expect(text(try #require(encoded(Float(0.1)))) == "0.1")
  }

  @Test("A key is found among others of its length, whatever byte they differ in")
  func similarKeys() {
    for length in 1...20 {
      let key = String(repeating: "k", count: length)
      for place in 0..<length {
        var other = Array(key.utf8)
        other[place] = UInt8(ascii: "x")
        let json = Array("{\"".utf8) + other + Array("\":1,\"\(key)\":2}".utf8)
        let values = Keyed.$keys.withValue([key, key + "k"]) { decoded(Keyed.self, json)?.values }
        #expect(values == [2, nil], "\(length) \(place)")
      }
    }
  }

  /// The numbers of these keys, nil for those that are not there.
  private struct Keyed: Decodable {
    @TaskLocal static var keys: [String] = []
    let values: [Int?]

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: AnyKey.self)
      values = Self.keys.map { try? container.decode(Int.self, forKey: AnyKey(stringLiteral: $0)) }
    }
  }

  @Test("Containers within containers are written as they nest, empty ones too")
  func nestedContainers() throws {
    let value = Writing { encoder in
      var fields = encoder.container(keyedBy: AnyKey.self)
      var list = fields.nestedUnkeyedContainer(forKey: "list")
      try list.encode(1)
      try list.encodeNil()
      _ = list.nestedUnkeyedContainer()
      #expect(list.count == 3)
      var inner = fields.nestedContainer(keyedBy: AnyKey.self, forKey: "inner")
      try inner.encode(true, forKey: "b")
      try fields.encode("c", forKey: "last")
    }
    let json = try #require(encoded(value))
    #expect(text(json) == #"{"list":[1,null,[]],"inner":{"b":true},"last":"c"}"#)
  }

  private struct Named: Codable, Equatable {
    var name: String
  }

  @Test("Text that is not UTF-8 is left to it, whether it is read or not; other text is read")
  func invalidText() {
    let wrong: [[UInt8]] = [
      [0xFF], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xED, 0xA0, 0x80], [0x80], [0xC0, 0x80],
    ]
    let places = [
      #"{"name":"·"}"#, #"{"name":"\u001b·\n"}"#, #"{"name":"a long name that is before it ·"}"#,
      #"{"other":"·","name":"a"}"#, #"{"name":"a","other":[1,{"x":"\t·"}]}"#,
      #"{"·":1,"name":"a"}"#,
    ]
    for place in places {
      let halves = place.split(separator: "·").map { Array($0.utf8) }
      for bytes in wrong {
        #expect(decoded(Named.self, halves[0] + bytes + halves[1]) == nil, "\(place): \(bytes)")
      }
      // The text of a replaced character is text, too.
      for valid in ["é", "\u{FFFD}", "日本\u{1F980}"] where !place.hasPrefix("{\"·") {
        let json = halves[0] + Array(valid.utf8) + halves[1]
        let theirs = try? JSONDecoder().decode(Named.self, from: Data(json))
        #expect(theirs != nil && decoded(Named.self, json) == theirs, "\(place): \(valid)")
      }
    }
  }

  @Test(
    "Keys that are equal, or not plain, are left to it",
    arguments: [
      #"{"a":1,"a":2}"#, #"{"é":1}"#, #"{"\u0061":1}"#,
    ]
  )
  func unusualKeys(json: String) {
    #expect(decoded([String: Int].self, Array(json.utf8)) == nil)
  }
}

private struct AnyKey: CodingKey, ExpressibleByStringLiteral {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
  init(stringLiteral value: String) { stringValue = value }
}

import Foundation
import PoolTestSupport
import PoolWire
import Testing

@testable import OperationWorker

/// Contract: a value is written and read as Foundation's coders do, also where parts of it are
/// types that Foundation has its own form for, and arrays of numbers of any kind.
@Suite("Users' values as JSON")
struct PayloadCodingTests {
  private struct Mixed: Codable, Equatable {
    var name = "Größe 長い \u{1F600} \"\\\n"
    var link = URL(string: "https://example.org/a?b=c%20d")
    var bytes = Data([0, 1, 254, 255])
    var price = Decimal(string: "12345678901234567890.5")
    var numbers = [1, -2, .max, .min]
    var small: [UInt8] = [0, 9, 10, 99, 100, 255]
    var fractions = [0.5, -1, 1e300, 1e-300, 0.1, 1.0 / 3, 123456.75, 1e22]
    var floats: [Float] = [0.1, 16_777_216, -0.0]
    var nested: [[Int]] = [[], [1], [2, 3]]
    var optional: [Int?] = [1, nil]
  }

  /// Both directions, each beside Foundation's.
  private func expectBoth<Value: Codable & Equatable>(_ value: Value) throws {
    let ours = try PayloadCoding.encode(value)
    #expect(try JSONDecoder().decode(Value.self, from: Data(ours)) == value)
    #expect(try PayloadCoding.decode(Value.self, from: ours) == value)
    let theirs = Array(try JSONEncoder().encode(value))
    #expect(try PayloadCoding.decode(Value.self, from: theirs) == value)
  }

  @Test("A value with Foundation's own types among others is the same through both")
  func mixedValues() throws {
    try expectBoth(Mixed())
    try expectBoth([Mixed(), Mixed()])
    try expectBoth(["a": URL(string: "a/b"), "b": nil])
    try expectBoth(Data())
    for count in 1..<9 { try expectBoth([Data(repeating: 0xFB, count: count)]) }
    try expectBoth(Data((0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }))
  }

  /// Whether the plain coder handles a value, with nothing left to Foundation's.
  private func isPlain<Value: Codable>(_ value: Value) throws -> Bool {
    let foreign = PayloadCoding.foreignTypes
    let json = try #require(PlainCoder.encode(value, foreign: foreign))
    return PlainCoder.decode(Value.self, from: json, foreign: foreign) != nil
  }

  @Test("One such part leaves nothing else to Foundation's coder")
  func partsAlone() throws {
    #expect(try isPlain(Mixed()))
    #expect(try isPlain(["a": Decimal(1)]))
  }

  @Test("An array of numbers is read as any other type that JSON allows for it")
  func interchangeableNumbers() throws {
    let json = try PayloadCoding.encode([1, 2, 255])
    #expect(try PayloadCoding.decode([UInt8].self, from: json) == [1, 2, 255])
    #expect(try PayloadCoding.decode([Double].self, from: json) == [1, 2, 255])
    #expect(try PayloadCoding.decode(Set<Int>.self, from: json) == [1, 2, 255])
    #expect(try PayloadCoding.decode([Int?].self, from: json) == [1, 2, 255])
    #expect(throws: DecodingError.self) { try PayloadCoding.decode([Int8].self, from: json) }
    #expect(throws: DecodingError.self) { try PayloadCoding.decode([String].self, from: json) }
    #expect(throws: DecodingError.self) {
      try PayloadCoding.decode([Int].self, from: Array("[1,2.5]".utf8))
    }
    #expect(throws: DecodingError.self) {
      try PayloadCoding.decode([Int].self, from: Array("[1,\"2\"]".utf8))
    }
  }

  @Test("A number that JSON lacks, and what is no base64, are errors of Foundation's")
  func errors() {
    #expect(throws: EncodingError.self) { try PayloadCoding.encode([1.0, .infinity]) }
    #expect(throws: DecodingError.self) {
      try PayloadCoding.decode([Data].self, from: Array(#"["AQ="]"#.utf8))
    }
    #expect(throws: DecodingError.self) {
      try PayloadCoding.decode([URL].self, from: Array(#"[""]"#.utf8))
    }
  }

  @Test("Random doubles and their texts are the same through both")
  func randomDoubles() throws {
    var generator = SeededGenerator(seed: 5)
    let values = (0..<2_000).map { index -> Double in
      let bits = Double(bitPattern: UInt64.random(in: 0...(.max), using: &generator))
      let decimal = Double(Int.random(in: -999_999...999_999, using: &generator)) / 1_000
      return index % 2 == 0 && bits.isFinite && (bits.isNormal || bits == 0) ? bits : decimal
    }
    try expectBoth(values)
  }

  @Test("Text of all lengths and scripts is the same through both", arguments: [1, 7, 8, 9, 63])
  func texts(length: Int) throws {
    for part in ["a", "é", "長", "😀", "\"", "\n", "\u{1}", "a長\"", "\u{7FF}\u{800}\u{FFFF}"] {
      try expectBoth([String(repeating: part, count: length), "x" + part])
    }
  }
}

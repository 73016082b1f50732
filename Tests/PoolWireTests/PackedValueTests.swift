import Foundation
import PoolTestSupport
import Testing

@testable import PoolWire

/// Contract: a packed value stands for one JSON text, and is read as that would be; bytes that are
/// no packed value are an error, whatever they are.
@Suite("Packed values")
struct PackedValueTests {
  private struct Sample: Codable, Equatable {
    var name = "few"
    var bytes = [UInt8](repeating: 7, count: 5_000)
    var numbers = (0..<2_000).map { $0 - 1_000 }
    var fractions = (0..<1_000).map { Double($0) / 7 }
    var nested = [[Float](repeating: 0.5, count: 3_000), [1]]
    var text = String(repeating: "größer \"als\" 長い\n", count: 400)
    var few = [1, 2, 3]
    var nothing: Int?
  }

  private func packed(_ value: some Encodable) throws -> [UInt8] {
    let bytes = try #require(PlainCoder.encode(value, foreign: .none, packs: true))
    try #require(PackedValue.isPacked(bytes))
    try PackedValue.check(bytes)
    return bytes
  }

  private func decoded<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) throws -> Value {
    if let value = PlainCoder.decode(type, from: bytes, foreign: .none) { return value }
    return try JSONDecoder().decode(type, from: Data(try PackedValue.json(bytes)))
  }

  @Test("What it stands for is what a value is as JSON, and it is read as that value")
  func roundTrip() throws {
    let bytes = try packed(Sample())
    #expect(PlainCoder.decode(Sample.self, from: bytes, foreign: .none) == Sample())
    #expect(try PackedValue.json(bytes) == PlainCoder.encode(Sample(), foreign: .none))
    #expect(bytes.count < 60_000)
  }

  @Test("Small parts stay in the text, and a packed value is never as small as a usual frame")
  func thresholds() throws {
    let few = [UInt8](repeating: 1, count: PackedValue.threshold - 1)
    let json = try #require(PlainCoder.encode(few, foreign: .none, packs: true))
    #expect(!PackedValue.isPacked(json))
    let many = [UInt8](repeating: 1, count: PackedValue.threshold)
    #expect(try packed(many).count > JSONWriter.usualLimit)
    #expect(PlainCoder.encode(many, foreign: .none).map(PackedValue.isPacked) == false)
  }

  @Test("Numbers are read as any type that their JSON could be read as, and no other")
  func interchange() throws {
    let small = try packed((0..<5_000).map { $0 % 200 })
    #expect(try decoded([UInt8].self, small).count == 5_000)
    #expect(try decoded([Double].self, small)[199] == 199)
    #expect(try decoded([Float].self, small)[199] == 199)
    #expect(try decoded([Int16].self, small)[199] == 199)
    #expect(try decoded(Set<Int>.self, small).count == 200)
    #expect(try decoded([Int?].self, small)[5] == 5)
    #expect(throws: DecodingError.self) { try decoded([Int8].self, small) }
    #expect(throws: DecodingError.self) { try decoded([String].self, small) }
    #expect(throws: DecodingError.self) { try decoded(String.self, small) }
    #expect(throws: DecodingError.self) { try decoded(Int?.self, small) }
    let whole = try packed([Double](repeating: 3, count: 2_000))
    #expect(try decoded([Int].self, whole)[0] == 3)
    let tenths = try packed([Float](repeating: 0.1, count: 2_000))
    #expect(try decoded([Double].self, tenths)[0] == 0.1)
    #expect(throws: DecodingError.self) { try decoded([Int].self, tenths) }
  }

  @Test("The layout of the protocol is understood, in both orders")
  func example() throws {
    try PackedValue.check(PackedSample.all)
    #expect(
      String(decoding: try PackedValue.json(PackedSample.all), as: UTF8.self)
        == PackedSample.exampleJSON
    )
  }

  @Test("A number that JSON lacks is no part, from this side or from the other")
  func infinity() throws {
    let values = [Double](repeating: .infinity, count: 1_000)
    #expect(PlainCoder.encode(values, foreign: .none, packs: true) == nil)
    for content in [[0, 0, 0, 0, 0, 0, 0xF0, 0x7F], [1, 0, 0, 0, 0, 0, 0xF8, 0xFF]] as [[UInt8]] {
      let part = PackedSample.Part(offset: 0, content: content, form: 3, width: 8)
      #expect(throws: PackedError.self) {
        try PackedValue.check(PackedSample(text: "null", parts: [part]).bytes)
      }
    }
  }

  private static let liars: [(String, PackedSample)] = {
    let part = PackedSample.Part(offset: 0, content: [1, 2], form: 1)
    func sample(_ text: String, _ change: (inout PackedSample.Part) -> Void) -> PackedSample {
      var part = part
      change(&part)
      return PackedSample(text: text, parts: [part])
    }
    return [
      ("within a string", sample(#""null""#) { $0.offset = 1 }),
      ("at a key", sample(#"{"null":1}"#) { $0.offset = 2 }),
      ("at another value", sample("true") { _ in }),
      ("beyond the text", sample("null") { $0.offset = 4 }),
      ("far beyond", sample("null") { $0.offset = .max }),
      ("twice", PackedSample(text: "null", parts: [part, part])),
      ("an unknown form", sample("null") { $0.form = 6 }),
      ("a width that numbers lack", sample("null") { $0.width = 3 }),
      ("half an element", sample("null") { ($0.width, $0.content) = (2, [1]) }),
      ("an order of single bytes", sample("null") { $0.order = 1 }),
      ("text that is not UTF-8", sample("null") { ($0.form, $0.content) = (5, [0xFF]) }),
      ("no JSON", PackedSample(text: "nul", parts: [])),
      ("two values", PackedSample(text: "1 2", parts: [])),
      ("no text", PackedSample(text: "", parts: [])),
    ]
  }()

  @Test("A table that lies is an error", arguments: liars.indices)
  func lies(index: Int) {
    let (name, sample) = Self.liars[index]
    #expect(throws: PackedError.self, "\(name)") { try PackedValue.check(sample.bytes) }
  }

  @Test("Every part of a packed value, and each of its lengths changed, is an error or JSON")
  func truncation() throws {
    let whole = PackedSample.all
    for count in 0..<whole.count {
      #expect(throws: PackedError.self) { try PackedValue.check(Array(whole[..<count])) }
    }
    #expect(throws: PackedError.self) { try PackedValue.check(whole + [0]) }
    for seed in 0..<20_000 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let changed = mutated(whole, using: &generator)
      guard PackedValue.isPacked(changed), let json = try? PackedValue.json(changed) else {
        continue
      }
      try JSONScanner.check(json)
      _ = PlainCoder.decode([String: [Int]].self, from: changed, foreign: .none)
    }
  }
}

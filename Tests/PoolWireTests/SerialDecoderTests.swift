import Foundation
import PoolTestSupport
import PoolWire
import Testing

/// Contract: what was decoded before a value changes nothing of it.
@Suite("Values decoded one after another in the same memory")
struct SerialDecoderTests {
  private static func decoder() -> SerialDecoder { SerialDecoder(foreign: .none) }

  @Test("Each is what it is when it is decoded alone, whatever came before it")
  func independent() throws {
    var decoder = Self.decoder()
    for seed in 0..<100 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let sample = CodedSample.random(using: &generator)
      let json = Array(try JSONEncoder().encode(sample))
      let alone = PlainCoder.decode(CodedSample.self, from: json, foreign: .none)
      let again = try? decoder.value(CodedSample.self, from: json)
      #expect(again == alone, "seed \(seed)")
      // No JSON, another type, a key twice, text that is no UTF-8, elements one by one, a long
      // text.
      for text in ["{\"name\":", "\"text\"", #"{"name":1,"name":2}"#, ""] {
        #expect(throws: (any Error).self, "seed \(seed)") {
          try decoder.value(CodedSample.self, from: Array(text.utf8))
        }
      }
      #expect(throws: (any Error).self) { try decoder.value(String.self, from: [34, 255, 34]) }
      #expect(try decoder.value([Int?].self, from: Array("[1,2]".utf8)) == [1, 2])
      let words = [String](repeating: "word", count: 2_000)
      let long = Array(try JSONEncoder().encode(words))
      #expect(try decoder.value([String].self, from: long) == words)
      let numbers = [Int](repeating: 7, count: 20_000)
      let packed = try #require(PlainCoder.encode(numbers, foreign: .none, packs: true))
      #expect(PackedValue.isPacked(packed))
      #expect(try decoder.value([Int].self, from: packed) == numbers)
    }
  }

  @Test("A container that a value's code keeps reads what it was made for, and no other value")
  func keptContainer() throws {
    var decoder = Self.decoder()
    let thief = Thief()
    Thief.$current.withValue(thief) {
      #expect(throws: (any Error).self, "Foundation's coder must take over") {
        try decoder.value(Thief.Victim.self, from: Array(#"{"first":1}"#.utf8))
      }
    }
    #expect(try decoder.value([String: Int].self, from: Array(#"{"last":2}"#.utf8)) == ["last": 2])
    let container = try #require(thief.container)
    #expect(try container.decode(Int.self, forKey: .first) == 1)
    #expect(container.allKeys == [.first])
  }

  /// Keeps the container of another value.
  private final class Thief: @unchecked Sendable {
    @TaskLocal static var current: Thief?

    var container: KeyedDecodingContainer<Key>?

    struct Victim: Decodable {
      init(from decoder: any Decoder) throws {
        Thief.current?.container = try decoder.container(keyedBy: Key.self)
      }
    }

    enum Key: CodingKey {
      case first
    }
  }
}

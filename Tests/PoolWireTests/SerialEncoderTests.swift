import PoolTestSupport
import PoolWire
import Testing

/// Contract: what was encoded before a value changes nothing of it.
@Suite("Values encoded one after another in the same memory")
struct SerialEncoderTests {
  private static func encoder() -> SerialEncoder { SerialEncoder(foreign: .none, packs: true) }

  private static func alone(_ value: some Encodable) -> [UInt8]? {
    PlainCoder.encode(value, foreign: .none, packs: true)
  }

  @Test("Each is what it is when it is encoded alone, whatever came before it")
  func independent() {
    var encoder = Self.encoder()
    for seed in 0..<100 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let sample = CodedSample.random(using: &generator)
      #expect(encoder.encode(sample) == Self.alone(sample), "seed \(seed)")
      // Left to Foundation's coder, a thrown error, many keys, a packed value, a long text.
      #expect(encoder.encode(Double.infinity) == nil, "seed \(seed)")
      #expect(encoder.encode(Broken()) == nil, "seed \(seed)")
      let many = Dictionary(uniqueKeysWithValues: (0..<40).map { ("key \($0)", Int($0)) })
      #expect(encoder.encode(many)?.count == Self.alone(many)?.count, "seed \(seed)")
      let numbers = [Int](repeating: 7, count: 20_000)
      #expect(encoder.encode(numbers) == Self.alone(numbers), "seed \(seed)")
      let words = [String](repeating: "word", count: 500)
      #expect(encoder.encode(words) == Self.alone(words), "seed \(seed)")
    }
  }

  @Test("What was returned stays as it is while the next values are encoded")
  func stays() {
    var encoder = Self.encoder()
    let texts = [10, 300, 2_000].map { [String](repeating: "x", count: $0) }
    let first = texts.map { encoder.encode($0) }
    _ = texts.reversed().map { encoder.encode($0.map { $0 + "y" }) }
    #expect(first == texts.map { Self.alone($0) })
  }

  @Test("A container that a value's code keeps and writes to later changes no other value")
  func keptContainer() throws {
    var encoder = Self.encoder()
    let thief = Thief()
    #expect(encoder.encode(thief) == Array("[1]".utf8))
    let meddler = Meddler(container: try #require(thief.container))
    #expect(encoder.encode(meddler) == Array("[3]".utf8))
  }

  /// Throws in the middle of an object.
  private struct Broken: Encodable {
    struct Refusal: Error {}

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(1, forKey: .number)
      throw Refusal()
    }

    enum Key: CodingKey {
      case number
    }
  }

  /// Keeps its container.
  private final class Thief: Encodable {
    var container: (any UnkeyedEncodingContainer)?

    func encode(to encoder: any Encoder) throws {
      var own = encoder.unkeyedContainer()
      try own.encode(1)
      container = own
    }
  }

  /// Writes to a container of another value before its own.
  private struct Meddler: Encodable {
    var container: any UnkeyedEncodingContainer

    func encode(to encoder: any Encoder) throws {
      var own = encoder.unkeyedContainer()
      var other = container
      try? other.encode(2)
      try own.encode(3)
    }
  }
}

import Foundation
import PoolTestSupport
import PoolWire
import Testing

/// Base64 is what Foundation's is.
@Suite("Base64")
struct Base64Tests {
  private func encode(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    bytes.withUnsafeBufferPointer { Base64.encode($0, into: &text) }
    return text
  }

  private func decode(_ text: [UInt8]) -> [UInt8]? {
    text.withUnsafeBufferPointer { Base64.decode($0) }
  }

  @Test("Bytes of every length are written as Foundation writes them, and read back")
  func roundTrips() {
    for seed in 0..<300 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let bytes = (0..<Int(seed)).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let text = encode(bytes)
      #expect(text == Array(Data(bytes).base64EncodedString().utf8), "seed \(seed)")
      #expect(decode(text) == bytes, "seed \(seed)")
    }
  }

  @Test("A text is read as Foundation reads it, if its padding is where padding belongs")
  func changedTexts() {
    let characters = Array("AQgz/+=-_ \n".utf8)
    for seed in 0..<4_000 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let text = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
        characters.randomElement(using: &generator) ?? 0
      }
      // Foundation also accepts padding in the middle of a group, and what follows it.
      let padding = text.reversed().prefix { $0 == UInt8(ascii: "=") }.count
      let isPadded = padding <= 2 && !text.dropLast(padding).contains(UInt8(ascii: "="))
      let theirs =
        isPadded && text.count.isMultiple(of: 4)
        ? Data(base64Encoded: Data(text)).map { Array($0) } : nil
      #expect(decode(text) == theirs, "seed \(seed): \(String(decoding: text, as: UTF8.self))")
    }
  }

  /// The random texts above hardly ever have three of them.
  @Test("Padding is one or two characters at the end, and nothing else")
  func padding() {
    let characters = Array("AQ=".utf8)
    let groups = (0..<81).map { number in
      [27, 9, 3, 1].map { characters[number / $0 % 3] }
    }
    for prefix in [[], Array("QQQQ".utf8)] {
      for group in groups {
        let padding = group.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        let isPadded = padding <= 2 && !group.dropLast(padding).contains(UInt8(ascii: "="))
        let count = decode(prefix + group)?.count
        let expected = isPadded ? prefix.count / 4 * 3 + 3 - padding : nil
        #expect(count == expected, "\(String(decoding: prefix + group, as: UTF8.self))")
      }
    }
    #expect(decode(Array("A===".utf8)) == nil)
    #expect(decode(Array("====".utf8)) == nil)
  }
}

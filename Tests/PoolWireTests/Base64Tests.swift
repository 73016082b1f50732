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

  @Test("Changed texts are refused, or read, as Foundation does")
  func changedTexts() {
    let characters = Array("AQgz/+=-_ \n".utf8)
    for seed in 0..<4_000 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let text = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
        characters.randomElement(using: &generator) ?? 0
      }
      let theirs = Data(base64Encoded: Data(text)).map { Array($0) }
      #expect(decode(text) == theirs, "seed \(seed): \(String(decoding: text, as: UTF8.self))")
    }
  }
}

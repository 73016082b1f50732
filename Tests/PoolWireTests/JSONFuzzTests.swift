import Foundation
import PoolTestSupport
import PoolWire
import Testing

/// The scanner accepts a text exactly where Foundation's `JSONSerialization` does, but for the
/// differences that are listed, each with its proof.
@Suite("JSON against Foundation")
struct JSONFuzzTests {
  private func scannerAccepts(_ bytes: [UInt8]) -> Bool {
    let result: Void? = try? bytes.scanned { scanner throws(JSONError) in
      _ = try scanner.skipValue()
      try scanner.expectEnd()
    }
    return result != nil
  }

  private func foundationAccepts(_ bytes: [UInt8]) -> Bool {
    (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
  }

  @Test("Valid documents with random changes are accepted by both or by neither")
  func mutatedDocuments() {
    var accepted = 0
    for seed in 0..<6_000 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let document = randomDocument(using: &generator)
      #expect(scannerAccepts(document), "seed \(seed)")
      let text = mutated(document, using: &generator)
      guard !hasKnownDifference(text) else { continue }
      let isAccepted = scannerAccepts(text)
      accepted += isAccepted ? 1 : 0
      #expect(
        isAccepted == foundationAccepts(text),
        "seed \(seed): \(String(decoding: text, as: UTF8.self)) \(text)"
      )
    }
    #expect(accepted > 500)
  }

  @Test("Strings have the content that Foundation reads")
  func stringContents() throws {
    for seed in 0..<2_000 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let text = randomString(using: &generator)
      let mine = try text.scanned { scanner throws(JSONError) in try scanner.string() }
      let theirs = try JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)
      #expect(mine == theirs as? String, "seed \(seed)")
    }
  }

  /// Whether the text has an exponent of three digits, or a comma before the end of its container;
  /// for these, see below.
  private func hasKnownDifference(_ bytes: [UInt8]) -> Bool {
    let visible = bytes.filter { $0 > 0x20 }
    return visible.indices.contains { index in
      let next = visible[index...].dropFirst().drop { $0 == UInt8(ascii: "+") }.prefix(3)
      return switch visible[index] {
      case UInt8(ascii: ","): next.first == UInt8(ascii: "}") || next.first == UInt8(ascii: "]")
      case UInt8(ascii: "e"), UInt8(ascii: "E"): next.count == 3 && next.allSatisfy(isDigit)
      default: false
      }
    }
  }

  private func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  @Test(
    "Known difference: Foundation lets objects and arrays end with a comma; RFC 8259 does not",
    arguments: [#"{"a":1,}"#, "[1,]"]
  )
  func trailingComma(text: String) {
    #expect(!scannerAccepts(Array(text.utf8)))
    #expect(foundationAccepts(Array(text.utf8)))
  }

  @Test(
    "Known difference: numbers that no double holds are passed on as they are",
    arguments: ["1e999", "[-2E+400]"]
  )
  func hugeNumbers(text: String) {
    #expect(scannerAccepts(Array(text.utf8)))
    #expect(!foundationAccepts(Array(text.utf8)))
  }

  @Test("Known difference: only UTF-8 is read, and without a byte order mark")
  func otherEncodings() throws {
    let marked = [0xEF, 0xBB, 0xBF] + Array("[1]".utf8)
    let wide = Array(try #require("[1]".data(using: .utf16LittleEndian)))
    for text in [marked, wide] {
      #expect(!scannerAccepts(text))
      #expect(foundationAccepts(text))
    }
  }

  @Test("No difference: both take 512 levels and no more, and both take a key that comes twice")
  func agreements() {
    for (text, isAccepted) in [
      (String(repeating: "[", count: 512) + String(repeating: "]", count: 512), true),
      (String(repeating: "[", count: 513) + String(repeating: "]", count: 513), false),
      (#"{"a":1,"a":2}"#, true),
      (#""\u0000""#, true),
    ] {
      #expect(scannerAccepts(Array(text.utf8)) == isAccepted)
      #expect(foundationAccepts(Array(text.utf8)) == isAccepted)
    }
  }
}

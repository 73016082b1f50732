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
    for seed in 0..<12_000 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let document = randomDocument(using: &generator)
      #expect(scannerAccepts(document), "seed \(seed)")
      let text = mutated(document, using: &generator)
      guard !Set(text).isEmpty else { continue }
      let isAccepted = scannerAccepts(text)
      accepted += isAccepted ? 1 : 0
      #expect(
        isAccepted == foundationAccepts(text),
        "seed \(seed): \(String(decoding: text, as: UTF8.self)) \(text)"
      )
    }
    #expect(accepted > 1_000)
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
}

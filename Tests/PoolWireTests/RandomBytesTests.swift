import PoolModel
import PoolTestSupport
import PoolWire
import Testing

/// A peer's bytes, whatever they are, become messages or violations and never end the process.
@Suite("Random bytes")
struct RandomBytesTests {
  @Test("Random bytes are a violation or wait for more")
  func randomStreams() {
    var refused = 0
    for seed in 0..<3_000 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let count = Int.random(in: 0...64, using: &generator)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      var reader = StreamReader(preamble: seed.isMultiple(of: 2) ? .none : .magic)
      do {
        try reader.feed(bytes[...])
        try reader.end()
      } catch {
        refused += 1
      }
    }
    #expect(refused > 2_900)
  }

  @Test("Golden frames with random changes become messages or violations")
  func changedFrames() {
    let entries = MessageCatalogue.all
    var understood = 0
    var wrong: [UInt64] = []
    for seed in 0..<8_000 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let message = entries[Int(seed) % entries.count].message
      let body = mutated(message.body, using: &generator)
      guard let changed = try? message.decodeLikewise(body) else { continue }
      understood += 1
      // What was understood is written in a form that is understood the same.
      if (try? changed.decodeLikewise(changed.body)) != changed { wrong.append(seed) }
    }
    #expect(wrong.isEmpty, "seeds")
    #expect(understood > 500)
  }
}

import PoolTestSupport
import PoolWire
import Testing

/// Contract: what was sealed comes out as it went in, and whatever is damaged is noticed before any
/// of it is used.
@Suite("Blocks with checksums")
struct SealedStreamTests {
  private func seal(_ bytes: [UInt8], _ sealer: inout SealedStream.Sealer) -> [UInt8] {
    var blocks: [UInt8] = []
    bytes.withUnsafeBytes { bytes in
      var rest = bytes
      while !rest.isEmpty {
        let count = sealer.seal(rest, into: &blocks)
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
    }
    return blocks
  }

  /// What comes out of blocks that arrive in these pieces; throws what is noticed.
  private func open(_ pieces: [ArraySlice<UInt8>]) throws -> [UInt8] {
    var opener = SealedStream.Opener()
    var opened: [UInt8] = []
    for piece in pieces {
      try piece.withUnsafeBytes { try opener.open($0) { opened.append(contentsOf: $0) } }
    }
    return opened
  }

  @Test("a stream comes out as it went in, whatever the pieces")
  func roundTrip() throws {
    for seed in RandomSeeds.first(200) {
      var generator = SeededGenerator(seed: seed)
      var (sealer, stream, blocks) = (SealedStream.Sealer(), [UInt8](), [UInt8]())
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let size = [0, 1, 7, 300, 65_536, 70_000].randomElement(using: &generator) ?? 1
        let bytes = (0..<size).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        blocks += seal(bytes, &sealer)
        stream += bytes
      }
      var (pieces, rest) = ([ArraySlice<UInt8>](), blocks[...])
      while !rest.isEmpty {
        let count = Int.random(in: 1...80_000, using: &generator)
        pieces.append(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      #expect(try open(pieces) == stream, "seed \(seed)")
    }
  }

  /// Each sort of damage at each byte of three blocks: what came before the damage may come out,
  /// and nothing else.
  @Test(
    "a byte that is changed, missing, or added, and a block that is missing or twice, is noticed"
  )
  func damage() throws {
    var sealer = SealedStream.Sealer()
    let blocks = ["first\n", "the second one\n", "third\n"].map { seal(Array($0.utf8), &sealer) }
    let whole = blocks.flatMap(\.self)
    var damaged: [[UInt8]] = [
      blocks[0] + blocks[0] + blocks[1], blocks[1] + blocks[2], blocks[0] + blocks[2],
      blocks[0] + blocks[1] + blocks[1], blocks[1] + blocks[0],
    ]
    for place in whole.indices {
      var (changed, missing, added) = (whole, whole, whole)
      changed[place] ^= 0x10
      missing.remove(at: place)
      added.insert(0x41, at: place)
      // What follows tells that a length was damaged.
      damaged += [changed, missing, added].map { $0 + [UInt8](repeating: 0, count: 70_000) }
    }
    let stream = Array("first\nthe second one\nthird\n".utf8)
    for bytes in damaged {
      var (opener, opened) = (SealedStream.Opener(), [UInt8]())
      #expect(throws: Violation.damaged) {
        try bytes.withUnsafeBytes { try opener.open($0) { opened.append(contentsOf: $0) } }
      }
      #expect(stream.starts(with: opened))
    }
  }
}

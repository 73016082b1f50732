import PoolWire
import Testing

/// The magic line is found after up to 64 KiB of anything, wherever the reads were cut.
@Suite("Magic line")
struct MagicLineTests {
  private static let pong = AnyMessage.worker(.pong(1))

  @Test("Noise before the magic line is skipped and kept, at every split")
  func everySplit() throws {
    // The noise has beginnings of the magic line in it.
    let noise = Array("Welcome to OPOOL-WORKER 2\nOPOOL-WOROPOOL-WORKER 1\r".utf8)
    let stream = noise + Frame.magic + Self.pong.frame
    for split in 0...stream.count {
      var reader = StreamReader(preamble: .magic)
      try reader.feed(stream[..<split])
      try reader.feed(stream[split...])
      try reader.end()
      #expect(reader.noise == noise, "split at \(split)")
      #expect(reader.bodies == [Self.pong.body], "split at \(split)")
    }
  }

  @Test("Exactly 64 KiB of noise are allowed, at every split of the magic line behind them")
  func mostNoise() throws {
    let noise = [UInt8](repeating: Frame.magic[0], count: Frame.noiseLimit)
    let stream = noise + Frame.magic + Self.pong.frame
    let end = Frame.noiseLimit + Frame.magic.count
    for split in Frame.noiseLimit - 1...end {
      var reader = StreamReader(preamble: .magic)
      try reader.feed(stream[..<split])
      try reader.feed(stream[split...])
      #expect(reader.noise.count == Frame.noiseLimit)
      #expect(reader.bodies == [Self.pong.body], "split at \(split)")
    }
  }

  @Test("One byte of noise more is a violation that shows how it began")
  func tooMuchNoise() throws {
    let noise = Array("login: ".utf8) + [UInt8](repeating: 0x2E, count: Frame.noiseLimit - 6)
    let stream = noise + Frame.magic
    for split in [0, noise.count, noise.count + 5, stream.count] {
      var reader = StreamReader(preamble: .magic)
      #expect(throws: Violation.noMagic(Array(noise.prefix(256)))) {
        try reader.feed(stream[..<split])
        try reader.feed(stream[split...])
      }
    }
  }

  @Test("Noise that comes byte by byte costs no more than its length")
  func slowNoise() throws {
    var reader = StreamReader(preamble: .magic)
    for byte in [UInt8](repeating: Frame.magic[0], count: Frame.noiseLimit) + Frame.magic {
      try reader.feed([byte])
    }
    try reader.end()
    #expect(reader.noise.count == Frame.noiseLimit)
  }

  @Test("A stream that ends before the magic line shows what there was", arguments: ["", "sh: no"])
  func endBeforeMagic(text: String) throws {
    var reader = StreamReader(preamble: .magic)
    try reader.feed(Array(text.utf8)[...])
    #expect(throws: Violation.endBeforeMagic(Array(text.utf8))) { try reader.end() }
  }

  @Test("A length that is text is quoted, since something has printed it; no other one is")
  func printedLength() {
    #expect(
      Violation.oversized(0x6465_6275).description
        == "announced a frame of 1684365941 bytes, which is over the limit: "
        + "as text it is “debu”, which something printed there"
    )
    #expect(Violation.oversized(0xFFFF_FFFF).description.hasSuffix(" over the limit"))
  }

  @Test("A stray byte between frames is read as a length, which is over the limit")
  func strayText() throws {
    var reader = StreamReader(preamble: .magic)
    try reader.feed((Frame.magic + Self.pong.frame)[...])
    #expect(throws: Violation.oversized(0x6865_6C6C)) { try reader.feed(Array("hello".utf8)[...]) }
  }

  @Test(
    "A line that greets otherwise is refused as soon as that shows, at every split",
    arguments: [
      "OPOOL-WORKER 2\n", "OPOOL-WORKER 10\n", "OPOOL-WORKER 1\r\n", "OPOOL-WORKER\n",
      "OPOOL-WORKERS\n", "OPOOL-WORKER 1 \n",
    ]
  )
  func otherGreeting(_ line: String) throws {
    let noise = Array("Welcome\nOPOOL-WOR\n".utf8)
    let stream = noise + Array(line.utf8)
    // The last byte that is not needed to know.
    let deviation = zip(line.utf8, Frame.magic).prefix { $0 == $1 }.count
    for split in 0...stream.count {
      var reader = StreamReader(preamble: .magic)
      let error = try #require(throws: Violation.self) {
        try reader.feed(stream[..<split])
        if split <= noise.count + deviation { try reader.feed(stream[split...]) }
      }
      guard case .otherGreeting(let quoted) = error else {
        Issue.record("\(error) at \(split)")
        continue
      }
      #expect(line.utf8.starts(with: quoted) && quoted.count >= min(deviation, line.utf8.count - 1))
    }
  }

  @Test("A frame in place of the magic line is refused at its first byte, and quoted")
  func frameFirst() throws {
    let frame = AnyMessage.worker(.pong(1)).frame
    for split in 0...frame.count {
      var reader = StreamReader(preamble: .magic)
      let error = try #require(throws: Violation.self) {
        try reader.feed(frame[..<split])
        if split <= 4 { try reader.feed(frame[split...]) }
      }
      guard case .frameBeforeMagic(let quoted) = error else {
        Issue.record("\(error) at \(split)")
        continue
      }
      #expect(frame.dropFirst(4).starts(with: quoted) && !quoted.isEmpty)
    }
  }
}

import PoolModel
import PoolWire
import Testing

/// The decoder gives the same frames however the stream was cut, and never reads past its limits.
@Suite("Frame decoder")
struct FrameDecoderTests {
  private static let messages: [AnyMessage] = [
    .worker(.hello(Hello(pid: 1, kinds: ["noop"]))),
    .worker(.executing(exampleReference, nil)),
    .worker(.finished(exampleReference, Answer(result: Array("\"\u{10D}\"".utf8)))),
    .worker(.pong(0)),
  ]

  private static let frames = messages.flatMap(\.frame)

  @Test("A stream of several frames is the same at every split into three")
  func everySplit() throws {
    let messages = Self.messages.suffix(3)
    let stream = messages.flatMap(\.frame)
    let expected = messages.map(\.body)
    var wrong: [(Int, Int)] = []
    for first in stream.indices {
      for second in first..<stream.count {
        var reader = StreamReader(preamble: .none)
        try reader.feed(stream[..<first])
        try reader.feed(stream[first..<second])
        try reader.feed(stream[second...])
        try reader.end()
        if reader.bodies != expected { wrong.append((first, second)) }
      }
    }
    #expect(wrong.isEmpty, "splits at \(wrong)")
  }

  @Test("A stream that comes byte by byte is the same, and each frame comes with its last byte")
  func byteByByte() throws {
    var reader = StreamReader(preamble: .none)
    var ends: [Int] = []
    for (offset, byte) in Self.frames.enumerated() {
      let count = reader.bodies.count
      try reader.feed([byte])
      if reader.bodies.count > count { ends.append(offset + 1) }
    }
    var expected: [Int] = []
    for message in Self.messages { expected.append((expected.last ?? 0) + message.frame.count) }
    #expect(ends == expected)
  }

  @Test("A stream that ends within a frame is truncated, at every place; between frames it is not")
  func everyTruncation() throws {
    var borders: Set<Int> = [0]
    for message in Self.messages { borders.insert((borders.max() ?? 0) + message.frame.count) }
    for end in 0...Self.frames.count {
      var reader = StreamReader(preamble: .none)
      try reader.feed(Self.frames[..<end])
      if borders.contains(end) {
        try reader.end()
      } else {
        #expect(throws: Violation.truncated, "end at \(end)") { try reader.end() }
      }
    }
  }

  @Test("A length over the limit is refused before its body comes, and one at the limit is not")
  func limit() throws {
    let body = [UInt8](repeating: 0x20, count: 100)
    var reader = StreamReader(preamble: .none, limit: 100)
    try reader.feed(frame(around: body)[...])
    #expect(reader.bodies == [body])
    #expect(throws: Violation.oversized(101)) { try reader.feed([0, 0, 0, 101]) }
    var fresh = StreamReader(preamble: .none)
    #expect(throws: Violation.oversized(0xFFFF_FFFF)) { try fresh.feed([255, 255, 255, 255]) }
  }

  @Test("An empty body is a frame, and no message")
  func emptyBody() throws {
    var reader = StreamReader(preamble: .none)
    try reader.feed([0, 0, 0, 0])
    #expect(reader.bodies == [[]])
    #expect(throws: Violation.self) { try WorkerMessage(bytes: []) }
  }

  @Test("A violation that the reader of a body throws comes through, and the next frame follows")
  func bodyThrows() throws {
    var decoder = FrameDecoder(preamble: .none)
    Self.frames.withUnsafeBytes { decoder.append($0) }
    #expect(throws: Violation.unexpected("it")) {
      try decoder.next { _ throws(Violation) -> Int in throw .unexpected("it") }
    }
    let second = try decoder.next { body throws(Violation) in try WorkerMessage(body: body) }
    #expect(second == .executing(exampleReference, nil))
  }

  @Test("Memory that was read is used again: a long stream in pieces stays whole")
  func longStream() throws {
    let body = [UInt8](repeating: 0x78, count: 70_000)
    let stream = (0..<40).flatMap { _ in frame(around: body) }
    var reader = StreamReader(preamble: .none)
    for start in stride(from: 0, to: stream.count, by: 65_536) {
      try reader.feed(stream[start..<min(start + 65_536, stream.count)])
    }
    try reader.end()
    #expect(reader.bodies.count == 40)
    #expect(reader.bodies.allSatisfy { $0 == body })
  }
}

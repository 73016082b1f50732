import PoolModel
import PoolTestSupport
import Testing

@testable import PoolWire

/// Contract: a block belongs to the one message behind it, which names it; any other bytes between
/// frames, and any other length, are a violation.
@Suite("Blocks of bytes between frames")
struct BlockTests {
  private static let finished =
    #"{"type":"finished","operation":7,"dispatch":12,"packed":true}"#
  private static let plain = #"{"type":"finished","operation":7,"dispatch":12,"result":1}"#

  private func header(_ count: Int) -> [UInt8] {
    let count = UInt32(count) | 1 << 31
    return (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) }
  }

  private func block(_ content: [UInt8] = PackedSample.all) -> [UInt8] {
    header(content.count) + content
  }

  private func frame(_ body: String) -> [UInt8] { PoolWireTests.frame(around: Array(body.utf8)) }

  /// What a coordinator hears; each piece of the stream comes by itself.
  private func hear(
    _ pieces: [[UInt8]],
    limit: Int = 1 << 20,
    ends: Bool = true
  ) throws -> [WorkerMessage] {
    var decoder = FrameDecoder(preamble: .none)
    decoder.blockLimit = limit
    var messages: [WorkerMessage] = []
    for piece in pieces {
      piece.withUnsafeBytes { decoder.append($0) }
      try decoder.takeWorkerMessages { messages.append($0) }
    }
    if ends { try decoder.end() }
    return messages
  }

  private static let answer = WorkerMessage.finished(
    exampleReference,
    Answer(result: PackedSample.all)
  )

  @Test("A message and its block are read whatever the pieces of the stream")
  func pieces() throws {
    let plain = frame(Self.plain)
    let stream = plain + block() + frame(Self.finished) + plain
    let one = WorkerMessage.finished(exampleReference, Answer(result: Array("1".utf8)))
    #expect(try hear([stream]) == [one, Self.answer, one])
    #expect(try hear(stream.map { [$0] }) == [one, Self.answer, one])
    for split in stream.indices {
      let pieces = [Array(stream[..<split]), Array(stream[split...])]
      #expect(try hear(pieces) == [one, Self.answer, one], "split at \(split)")
    }
  }

  @Test("What has come of a block and of its message counts as a frame that has begun")
  func pending() throws {
    var decoder = FrameDecoder(preamble: .none)
    decoder.blockLimit = 1 << 20
    let stream = block() + frame(Self.finished)
    for index in stream.indices {
      #expect(decoder.pendingCount == index)
      [stream[index]].withUnsafeBytes { decoder.append($0) }
      try decoder.takeWorkerMessages { _ in }
    }
    #expect(decoder.pendingCount == 0)
  }

  private func violation(_ stream: [UInt8], limit: Int = 1 << 20) -> Violation? {
    do {
      _ = try hear([stream], limit: limit)
      return nil
    } catch {
      return error as? Violation
    }
  }

  @Test("A block that was not agreed on, or over the limit, is refused before there is room for it")
  func limits() {
    let count = PackedSample.all.count
    #expect(violation(header(count), limit: 0) == .oversized(count + 1 << 31))
    let tooLarge = Violation.unexpected(
      "a block of \(count) bytes before a frame, which is over the limit"
    )
    #expect(violation(header(count), limit: count - 1) == tooLarge)
    #expect(violation(block() + frame(Self.finished), limit: count) == nil)
    #expect(violation(header(Int(Int32.max))) != .truncated)
  }

  @Test("A block without its message, twice, or for another message, is a violation")
  func strays() {
    #expect(violation(block()) == .truncated)
    #expect(violation(Array(block().dropLast())) == .truncated)
    #expect(violation(header(1 << 19)) == .truncated)
    #expect(
      violation(block() + block() + frame(Self.finished)) == .unexpected("two blocks in a row")
    )
    let stray = Violation.unexpected("a block that no 'finished' names")
    #expect(violation(block() + frame(Self.plain)) == stray)
    #expect(violation(block() + frame(#"{"type":"pong","number":1,"packed":true}"#)) == stray)
    #expect(violation(block() + frame(#"{"type":"applaud"}"#)) == stray)
    #expect(
      violation(frame(Self.finished)) == .unexpected("a message that names a block, and no block")
    )
    let both = #"{"type":"finished","operation":7,"dispatch":12,"result":1,"packed":true}"#
    #expect(
      violation(block() + frame(both)) == .unexpected("a message with both JSON and a block")
    )
  }

  @Test("A block of bytes that are no packed value is a violation, which says why")
  func wrongBlocks() {
    for content in [[], [1], Array("[1,2]".utf8), Array(PackedSample.all.dropLast())] as [[UInt8]] {
      guard case .wrongBlock = violation(block(content) + frame(Self.finished)) else {
        Issue.record("\(content.prefix(8)) was taken")
        continue
      }
    }
  }

  @Test("Random changes of a stream with blocks end in messages or in a violation")
  func randomChanges() throws {
    let stream = frame(Self.plain) + block() + frame(Self.finished) + frame(Self.plain)
    for seed in 0..<4_000 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let changed = mutated(stream, using: &generator)
      let half = changed.count / 2
      let pieces = [Array(changed[..<half]), Array(changed[half...])]
      do { _ = try hear(pieces) } catch { #expect(error is Violation) }
    }
  }

  @Test("What was sent is dropped, block by block, and the rest is what it was")
  func dropping() {
    for text in [0, 3, 2 << 20] {
      var writer = JSONWriter()
      for number in 0..<3 as Range<UInt64> {
        CoordinatorMessage.ping(number).encode(into: &writer)
        writer.block(PackedSample.all)
        CoordinatorMessage.unknown(String(repeating: "x", count: text)).encode(into: &writer)
      }
      let whole = writer.joined
      for sent in [0, 1, 30, 60, 300, 400, 700, whole.count / 2, whole.count - 1, whole.count]
      where sent <= whole.count {
        var rest = writer
        let dropped = rest.drop(sent: sent)
        #expect(dropped <= sent && rest.joined == Array(whole[dropped...]), "\(text): \(sent)")
        #expect(rest.count == whole.count - dropped)
        if sent == whole.count { #expect(rest.blocks.isEmpty) }
        var (pieces, offset) = ([UInt8](), 0)
        while offset < rest.count {
          rest.withPiece(from: offset) { pieces += $0 }
          offset = pieces.count
        }
        #expect(pieces == Array(whole[dropped...]))
      }
    }
  }
}

import PoolModel
import PoolTestSupport
import Testing

@testable import PoolWire

/// Contract: an attachment belongs to the one message behind it, which names it; any other bytes
/// between frames, and any other length, are a violation.
@Suite("Attachments of bytes between frames")
struct AttachmentTests {
  private static let finished =
    #"{"type":"finished","operation":7,"dispatch":12,"packed":true}"#
  private static let plain = #"{"type":"finished","operation":7,"dispatch":12,"result":1}"#

  private func header(_ count: Int) -> [UInt8] {
    let count = UInt32(count) | 1 << 31
    return (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) }
  }

  private func attachment(_ content: [UInt8] = PackedSample.all) -> [UInt8] {
    header(content.count) + content
  }

  private func frame(_ body: String) -> [UInt8] {
    PoolWireTests.frame(around: Array(body.utf8) + [10])
  }

  /// What a coordinator hears; each piece of the stream comes by itself.
  private func hear(
    _ pieces: [[UInt8]],
    limit: Int = 1 << 20,
    ends: Bool = true
  ) throws -> [WorkerMessage] {
    var decoder = FrameDecoder(preamble: .none)
    decoder.attachmentLimit = limit
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

  @Test("A message and its attachment are read whatever the pieces of the stream")
  func pieces() throws {
    let plain = frame(Self.plain)
    let stream = plain + attachment() + frame(Self.finished) + plain
    let one = WorkerMessage.finished(exampleReference, Answer(result: Array("1".utf8)))
    #expect(try hear([stream]) == [one, Self.answer, one])
    #expect(try hear(stream.map { [$0] }) == [one, Self.answer, one])
    for split in stream.indices {
      let pieces = [Array(stream[..<split]), Array(stream[split...])]
      #expect(try hear(pieces) == [one, Self.answer, one], "split at \(split)")
    }
  }

  @Test("What has come of an attachment and of its message counts as a frame that has begun")
  func pending() throws {
    var decoder = FrameDecoder(preamble: .none)
    decoder.attachmentLimit = 1 << 20
    let stream = attachment() + frame(Self.finished)
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

  @Test(
    "An attachment that was not agreed on, or over the limit, is refused before there is room for it"
  )
  func limits() {
    let count = PackedSample.all.count
    #expect(violation(header(count), limit: 0) == .oversized(count + 1 << 31))
    let tooLarge = Violation.unexpected(
      "an attachment of \(count) bytes before a frame, which is over the limit"
    )
    #expect(violation(header(count), limit: count - 1) == tooLarge)
    #expect(violation(attachment() + frame(Self.finished), limit: count) == nil)
    #expect(violation(header(Int(Int32.max))) != .truncated)
  }

  @Test("An attachment without its message, twice, or for another message, is a violation")
  func strays() {
    #expect(violation(attachment()) == .truncated)
    #expect(violation(Array(attachment().dropLast())) == .truncated)
    #expect(violation(header(1 << 19)) == .truncated)
    #expect(
      violation(attachment() + attachment() + frame(Self.finished))
        == .unexpected("two attachments in a row")
    )
    let stray = Violation.unexpected("an attachment that no 'finished' names")
    #expect(violation(attachment() + frame(Self.plain)) == stray)
    #expect(violation(attachment() + frame(#"{"type":"pong","number":1,"packed":true}"#)) == stray)
    #expect(violation(attachment() + frame(#"{"type":"applaud"}"#)) == stray)
    #expect(
      violation(frame(Self.finished))
        == .unexpected("a message that names an attachment, and no attachment")
    )
    let both = #"{"type":"finished","operation":7,"dispatch":12,"result":1,"packed":true}"#
    #expect(
      violation(attachment() + frame(both))
        == .unexpected("a message with both JSON and an attachment")
    )
  }

  @Test("An attachment of bytes that are no packed value is a violation, which says why")
  func wrongAttachments() {
    for content in [[], [1], Array("[1,2]".utf8), Array(PackedSample.all.dropLast())] as [[UInt8]] {
      guard case .wrongAttachment = violation(attachment(content) + frame(Self.finished)) else {
        Issue.record("\(content.prefix(8)) was taken")
        continue
      }
    }
  }

  @Test("Random changes of a stream with attachments end in messages or in a violation")
  func randomChanges() throws {
    let stream = frame(Self.plain) + attachment() + frame(Self.finished) + frame(Self.plain)
    for seed in 0..<4_000 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let changed = mutated(stream, using: &generator)
      let half = changed.count / 2
      let pieces = [Array(changed[..<half]), Array(changed[half...])]
      do { _ = try hear(pieces) } catch { #expect(error is Violation) }
    }
  }

  @Test("What was sent is dropped, attachment by attachment, and the rest is what it was")
  func dropping() {
    for text in [0, 3, 2 << 20] {
      var writer = JSONWriter()
      for number in 0..<3 as Range<UInt64> {
        CoordinatorMessage.ping(number).encode(into: &writer)
        writer.attachment(PackedSample.all)
        CoordinatorMessage.unknown(String(repeating: "x", count: text)).encode(into: &writer)
      }
      let whole = writer.joined
      for sent in [0, 1, 30, 60, 300, 400, 700, whole.count / 2, whole.count - 1, whole.count]
      where sent <= whole.count {
        var rest = writer
        let dropped = rest.drop(sent: sent)
        #expect(dropped <= sent && rest.joined == Array(whole[dropped...]), "\(text): \(sent)")
        #expect(rest.count == whole.count - dropped)
        if sent == whole.count { #expect(rest.attachments.isEmpty) }
        var (pieces, offset) = ([UInt8](), 0)
        while offset < rest.count {
          rest.withPiece(from: offset) { pieces += $0 }
          offset = pieces.count
        }
        #expect(pieces == Array(whole[dropped...]))
      }
    }
  }

  // MARK: - Memory

  /// The largest memory while pieces come, and the memory after the last one.
  private func memory(of pieces: [[UInt8]]) throws -> (largest: Int, last: Int) {
    var decoder = FrameDecoder(preamble: .none)
    decoder.attachmentLimit = 1 << 30
    var largest = 0
    for piece in pieces {
      piece.withUnsafeBytes { decoder.append($0) }
      largest = max(largest, decoder.allocatedCount)
      try decoder.takeWorkerMessages { _ in }
    }
    return (largest, decoder.allocatedCount)
  }

  @Test("An attachment takes the memory of its bytes, not of twice as many")
  func memoryOfAttachment() throws {
    let (piece, count) = ([UInt8](repeating: 7, count: 1 << 20), 80)
    let pieces = [header(piece.count * count)] + Array(repeating: piece, count: count)
    #expect(try memory(of: pieces).largest < (count + 8) << 20)
  }

  @Test("A length that was only announced takes 64 MiB at most")
  func memoryOfPromise() throws {
    #expect(try memory(of: [header(1 << 30), [1]]).largest <= 65 << 20)
  }

  @Test("The memory of a large frame is released with the frame, or with the bytes behind it")
  func memoryOfFrame() throws {
    let text = String(repeating: "x", count: 4 << 20)
    let large = frame(#"{"type":"log","operation":7,"dispatch":12,"message":"\#(text)"}"#)
    let small = frame(Self.plain)
    #expect(try memory(of: [large]).last <= 1 << 20)
    #expect(
      try memory(of: [large + small.prefix(9), Array(small.dropFirst(9)), small]).last <= 1 << 20
    )
  }

  @Test("A writer releases what was sent, with the attachments")
  func memoryOfWriter() {
    var writer = JSONWriter()
    writer.raw([UInt8](repeating: 7, count: 4 << 20))
    writer.attachment([1, 2, 3])
    writer.removeAll()
    #expect(writer.count == 0 && writer.attachments.isEmpty)
    #expect(writer.bytes.capacity <= 1 << 20)
  }

  @Test("A writer drops an attachment when all of it was sent, with the text before it")
  func drop() {
    var writer = JSONWriter()
    writer.raw([7])
    writer.attachment([UInt8](repeating: 1, count: 1_000))
    writer.raw([8, 9])
    let all = writer.joined
    for part in [1, 5, 1_004] {
      let dropped = writer.drop(sent: part)
      #expect(dropped == 0 && writer.joined == all)
    }
    let dropped = writer.drop(sent: 1_005)
    #expect(dropped == 1_005 && writer.joined == Array(all.dropFirst(1_005)))
  }
}

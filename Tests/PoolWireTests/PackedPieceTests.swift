import Testing

@testable import PoolWire

/// Contract: the JSON of a packed value can be read in pieces of bounded size, and is the same
/// text.
@Suite("Pieces of packed values")
struct PackedPieceTests {
  private struct Piece {
    var type: PackedType
    var content: [UInt8]
  }

  /// An array of these parts, with text between them.
  private func packed(_ parts: [Piece], padding: Int = 0) -> [UInt8] {
    var builder = PackedBuilder()
    var text = Array("[".utf8)
    for part in parts {
      builder.add(part.type, part.content.count, at: text.count) { body in
        part.content.withUnsafeBytes { body($0) }
      }
      text += Array("null,".utf8)
    }
    text += [UInt8](repeating: UInt8(ascii: " "), count: padding) + Array("true]".utf8)
    guard let bytes = builder.packed(text) else { preconditionFailure("it is small") }
    return bytes
  }

  private func pieces(_ bytes: [UInt8]) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    PackedValue.forEachPiece(ofJSON: bytes) { pieces.append(Array($0)) }
    return pieces
  }

  private func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
  }

  @Test("All types of parts are the same text in pieces and as a whole", arguments: [0, 1, 12_287])
  func types(extra: Int) throws {
    // Around the sizes at which a part is divided, in whole elements.
    for elements in [0, 1, 1_535, 1_536, 1_537, 30_000 + extra] {
      let numbers =
        [PackedType(.unsigned, width: 1), PackedType(.unsigned, width: 2)]
        + [PackedType(.signed, width: 4), PackedType(.signed, width: 8)]
      for type in numbers + [PackedType(.bytes, width: 1)] {
        try expectSame(packed([Piece(type: type, content: bytes(elements * Int(type.width)))]))
      }
      let fractions = (0..<elements).map { Double($0) / 7 }
      let content = fractions.withUnsafeBytes { Array($0) }
      try expectSame(packed([Piece(type: PackedType(.float, width: 8), content: content)]))
    }
  }

  private func expectSame(_ bytes: [UInt8]) throws {
    try PackedValue.check(bytes)
    let json = try PackedValue.json(bytes)
    #expect(pieces(bytes).flatMap(\.self) == json)
    try JSONScanner.check(json)
    #expect(pieces(json).flatMap(\.self) == json)
  }

  @Test("A text with escapes and long characters may be divided anywhere", arguments: 0..<5)
  func texts(shift: Int) throws {
    let text =
      String(repeating: "a", count: shift) + String(repeating: "é長\u{1F980}\"\n", count: 9_000)
    let part = Piece(type: PackedType(.text, width: 1), content: Array(text.utf8))
    try expectSame(packed([part, part], padding: 200_000))
  }

  @Test("No piece is large, whatever the value has")
  func sizes() {
    let text = Piece(
      type: PackedType(.text, width: 1),
      content: [UInt8](repeating: 1, count: 500_000)
    )
    let numbers = Piece(type: PackedType(.unsigned, width: 1), content: bytes(500_000))
    let value = pieces(packed([text, numbers], padding: 500_000))
    #expect(value.count > 50)
    #expect(value.allSatisfy { $0.count <= 64 << 10 })
    #expect(pieces([UInt8](repeating: 0x31, count: 500_000)).allSatisfy { $0.count <= 64 << 10 })
  }

  @Test("UTF-8 is judged alike in a long text, wherever a piece of it ends", arguments: -4...4)
  func characters(offset: Int) {
    for character in ["é", "長", "\u{1F980}"] {
      let before = [UInt8](repeating: UInt8(ascii: "a"), count: (64 << 10) + offset)
      // Not ASCII from the first byte on, so that nothing is skipped.
      let start = Array("éé".utf8)
      let text = start + before.dropFirst(4) + Array(character.utf8) + before
      #expect(isUTF8(text))
      #expect(!isUTF8(start + before.dropFirst(4) + Array(character.utf8.dropLast()) + before))
      #expect(!isUTF8(start + before.dropFirst(4) + Array(character.utf8.dropFirst()) + before))
    }
    let continuations = [UInt8](repeating: 0x80, count: 200_000)
    #expect(!isUTF8(Array("é".utf8) + continuations))
  }

  private func isUTF8(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { UTF8Check.isValid($0) }
  }

  @Test("A large frame leaves no memory behind when its message was taken")
  func memory() throws {
    var decoder = FrameDecoder(preamble: .none)
    var writer = JSONWriter()
    let result = Array("\"".utf8) + [UInt8](repeating: 0x61, count: 3 << 20) + Array("\"".utf8)
    WorkerMessage.finished(exampleReference, Answer(result: result)).encode(into: &writer)
    writer.bytes.withUnsafeBytes { decoder.append($0) }
    var count = 0
    try decoder.takeWorkerMessages { _ in count += 1 }
    #expect(count == 1 && decoder.buffer.capacity == 0 && decoder.pendingCount == 0)
    writer.bytes.withUnsafeBytes { decoder.append($0) }
    writer.bytes[..<9].withUnsafeBytes { decoder.append($0) }
    try decoder.takeWorkerMessages { _ in count += 1 }
    #expect(count == 2 && decoder.pendingCount == 9)
  }

  @Test("An attachment gets room for what it has, not for twice as much")
  func room() throws {
    var decoder = FrameDecoder(preamble: .none)
    decoder.attachmentLimit = PackedValue.limit
    let value = packed([Piece(type: PackedType(.bytes, width: 1), content: bytes(65 << 20))])
    var writer = JSONWriter()
    WorkerMessage.finished(exampleReference, Answer(result: value)).encode(into: &writer)
    let stream = writer.joined
    for start in stride(from: 0, to: stream.count, by: 1 << 20) {
      stream[start..<min(start + 1 << 20, stream.count)].withUnsafeBytes { decoder.append($0) }
      try decoder.takeWorkerMessages { message in
        guard case .finished(_, let answer) = message, let result = answer.result else { return }
        #expect(result.count == value.count && result.capacity < value.count + value.count / 4)
      }
    }
  }
}

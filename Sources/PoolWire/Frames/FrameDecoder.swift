/// Cuts a stream of bytes into frames, however the stream was cut before.
///
/// Feed it with ``append(_:)``, then take bodies with ``next(_:)``, or messages, until there are
/// none. It knows no descriptor. Memory is bounded by the frame limit; each byte is moved at most
/// twice.
package struct FrameDecoder {
  /// What is read before the first frame.
  package enum Preamble: Sendable {
    /// Frames begin at once: what a worker reads.
    case none
    /// The magic line comes first, perhaps after noise: what a coordinator reads.
    case magic
  }

  var buffer: [UInt8] = []
  var head = 0
  /// What the last `execute` had in its middle.
  var middle = ExecuteMiddle()
  private let limit: Int
  private var awaitsMagic: Bool
  /// No magic line begins before this offset.
  private var searched = 0

  /// What came before the magic line, once that has been read.
  package private(set) var noise: [UInt8] = []

  /// Decodes frames of at most `limit` bytes.
  package init(preamble: Preamble, limit: Int = Frame.defaultLimit) {
    self.limit = limit
    awaitsMagic = preamble == .magic
  }

  /// Takes over what was read.
  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    if head == buffer.count {
      buffer.removeAll(keepingCapacity: buffer.capacity <= 1 << 20)
      head = 0
    } else if head > 1 << 16, head > buffer.count / 2 {
      buffer.removeFirst(head)
      head = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// The next whole frame's body, lent to the closure, or nil when more bytes are needed.
  package mutating func next<Value>(
    _ body: (UnsafeRawBufferPointer) throws(Violation) -> Value
  ) throws(Violation) -> Value? {
    guard let range = try nextRange() else { return nil }
    head = range.upperBound
    return try buffer.withUnsafeBufferPointer { bytes throws(Violation) in
      try body(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[range])))
    }
  }

  /// How many bytes belong to no frame that was taken.
  package var pendingCount: Int { buffer.count - head }

  /// The first bytes that belong to no frame that was taken, for a report.
  package var pendingExcerpt: [UInt8] { Array(buffer[head...].prefix(256)) }

  /// Throws unless the stream may end here: between frames, after the magic line.
  package func end() throws(Violation) {
    if awaitsMagic { throw .endBeforeMagic(pendingExcerpt) }
    guard head == buffer.count else { throw .truncated }
  }

  /// Where the next whole frame's body lies.
  mutating func nextRange() throws(Violation) -> Range<Int>? {
    if awaitsMagic, try !skipMagic() { return nil }
    let start = head + Frame.headerLength
    guard start <= buffer.count else { return nil }
    let count = buffer.withUnsafeBytes { bytes in
      Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: head, as: UInt32.self)))
    }
    guard count <= limit else { throw .oversized(count) }
    return buffer.count - start >= count ? start..<(start + count) : nil
  }

  /// Looks for the magic line; what comes before it is noise.
  private mutating func skipMagic() throws(Violation) -> Bool {
    try refuseFrame()
    guard let start = try magicStart() else {
      guard buffer.count < Frame.noiseLimit + Frame.magic.count else {
        throw .noMagic(Array(buffer.prefix(256)))
      }
      return false
    }
    noise = Array(buffer[..<start])
    head = start + Frame.magic.count
    awaitsMagic = false
    return true
  }

  /// Throws where the stream begins with a frame, for which no magic line can follow.
  private func refuseFrame() throws(Violation) {
    guard searched == 0, buffer.count > Frame.headerLength,
      buffer[..<Frame.headerLength].reduce(0, { $0 << 8 | Int($1) }) <= limit,
      buffer[Frame.headerLength] == UInt8(ascii: "{")
    else { return }
    throw .frameBeforeMagic(Array(buffer[Frame.headerLength...].prefix(256)))
  }

  /// Where the magic line begins; what was searched once is not searched again, but for its last
  /// bytes.
  private mutating func magicStart() throws(Violation) -> Int? {
    var start = searched
    while start <= Frame.noiseLimit, start < buffer.count {
      let alike = magicPrefix(at: start)
      if alike == Frame.magic.count { return start }
      if alike >= Frame.magicWord.count, start + alike < buffer.count, isLineStart(start) {
        let line = buffer[start...].prefix { $0 != UInt8(ascii: "\n") }
        throw .otherGreeting(Array(line.prefix(256)))
      }
      start += 1
      // The next bytes may decide what the last ones are.
      if start + Frame.magic.count <= buffer.count { searched = start }
    }
    return nil
  }

  /// How many bytes from here on are those of the magic line.
  private func magicPrefix(at start: Int) -> Int {
    zip(buffer[start...], Frame.magic).prefix { $0 == $1 }.count
  }

  private func isLineStart(_ start: Int) -> Bool {
    start == 0 || buffer[start - 1] == UInt8(ascii: "\n") || buffer[start - 1] == UInt8(ascii: "\r")
  }
}

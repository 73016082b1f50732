/// Cuts a stream of bytes into frames, however the stream was cut before.
///
/// Feed it with ``append(_:)``, then take bodies with ``next()`` until it returns nil. It knows no
/// descriptor. Memory is bounded by the frame limit; each byte is moved at most twice.
package struct FrameDecoder {
  /// What is read before the first frame.
  package enum Preamble: Sendable {
    /// Frames begin at once: what a worker reads.
    case none
    /// The magic line comes first, perhaps after noise: what a coordinator reads.
    case magic
  }

  private var buffer: [UInt8] = []
  private var head = 0
  private var limit: Int
  private var awaitsMagic: Bool

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
    if awaitsMagic, try !skipMagic() { return nil }
    guard let range = try nextRange() else { return nil }
    head = range.upperBound
    // A typed throw cannot pass through withUnsafeBytes, so the result carries it.
    let result = buffer.withUnsafeBytes { bytes -> Result<Value, Violation> in
      do throws(Violation) {
        return .success(try body(UnsafeRawBufferPointer(rebasing: bytes[range])))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Throws unless the stream may end here: between frames, after the magic line.
  package func end() throws(Violation) {
    if awaitsMagic { throw .endBeforeMagic(Array(buffer[head...].prefix(256))) }
    guard head == buffer.count else { throw .truncated }
  }

  private func nextRange() throws(Violation) -> Range<Int>? {
    guard buffer.count - head >= Frame.headerLength else { return nil }
    let count = buffer[head..<(head + Frame.headerLength)].reduce(0) { $0 << 8 | Int($1) }
    guard count <= limit else { throw .oversized(count) }
    let start = head + Frame.headerLength
    return buffer.count - start >= count ? start..<(start + count) : nil
  }

  /// Looks for the magic line; what comes before it is noise.
  private mutating func skipMagic() throws(Violation) -> Bool {
    guard let start = magicStart() else {
      guard buffer.count <= Frame.noiseLimit else {
        throw .noMagic(Array(buffer.prefix(256)))
      }
      return false
    }
    noise = Array(buffer[..<start])
    head = start + Frame.magic.count
    awaitsMagic = false
    return true
  }

  private func magicStart() -> Int? {
    guard buffer.count >= Frame.magic.count else { return nil }
    let last = min(buffer.count - Frame.magic.count, Frame.noiseLimit)
    return (0...last).first { start in
      buffer[start] == Frame.magic[0]
        && buffer[start..<(start + Frame.magic.count)].elementsEqual(Frame.magic)
    }
  }
}

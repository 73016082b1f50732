/// Splits a stream of bytes into frames, whatever the sizes of its pieces.
///
/// Add pieces with ``append(_:)``, then take bodies with ``next(_:)``, or messages, until there are
/// none. Memory is bounded by the frame limit; each byte is moved at most twice.
package struct FrameDecoder {
  /// What precedes the first frame.
  package enum Preamble: Sendable {
    /// Nothing: the input of a worker.
    case none
    /// The magic line, perhaps after noise: the input of a coordinator.
    case magic
  }

  var buffer: [UInt8] = []
  var head = 0
  /// The middle of the last `execute`.
  var middle = ExecuteMiddle()
  private let limit: Int
  /// The largest attachment; with 0, the bit that announces an attachment makes the frame exceed
  /// the limit.
  package var attachmentLimit = 0
  /// The part of the attachment before the next frame that has arrived.
  private var attachment: Attachment?
  private var awaitsMagic: Bool
  /// The magic line does not begin before this offset.
  private var searched = 0

  /// The bytes before the magic line; complete once that was read.
  package private(set) var noise: [UInt8] = []

  /// Decodes frames of at most `limit` bytes.
  package init(preamble: Preamble, limit: Int = Frame.defaultLimit) {
    self.limit = limit
    awaitsMagic = preamble == .magic
  }

  /// Appends a piece of the stream.
  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    if head == buffer.count {
      buffer.removeAll(keepingCapacity: buffer.capacity <= Self.usualCount)
      head = 0
      if let rest = attachment?.append(bytes) { return buffer.append(contentsOf: rest) }
    } else if head > 1 << 16, head > buffer.count / 2 {
      buffer.removeFirst(head)
      head = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// The memory of larger frames is released: 1 MiB.
  static let usualCount = 1 << 20

  /// Releases the memory of a large frame, if no bytes follow it yet.
  mutating func releaseIfEmpty() {
    guard head == buffer.count else { return }
    (buffer, head) = ([], 0)
  }

  /// Number of bytes for which it has memory.
  var allocatedCount: Int { buffer.capacity + (attachment?.bytes.capacity ?? 0) }

  /// Passes the body of the next complete frame to the closure; nil if more bytes are needed.
  package mutating func next<Value>(
    _ body: (UnsafeRawBufferPointer) throws(Violation) -> Value
  ) throws(Violation) -> Value? {
    guard let range = try nextRange() else { return nil }
    head = range.upperBound
    return try buffer.withUnsafeBufferPointer { bytes throws(Violation) in
      try body(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[range])))
    }
  }

  /// Number of bytes after the last taken frame.
  package var pendingCount: Int {
    buffer.count - head + (attachment.map { Frame.headerLength + $0.bytes.count } ?? 0)
  }

  /// Takes all bytes after the last taken frame: they are no frames.
  package mutating func takeRest() -> [UInt8] {
    defer { (buffer, head) = ([], 0) }
    return Array(buffer[head...])
  }

  /// The first bytes after the last taken frame, for a report.
  package var pendingExcerpt: [UInt8] { Array(buffer[head...].prefix(256)) }

  /// Throws unless the stream may end here: between frames, after the magic line.
  package func end() throws(Violation) {
    if awaitsMagic { throw .endBeforeMagic(pendingExcerpt) }
    guard head == buffer.count, attachment == nil else { throw .truncated }
  }

  /// The range of the body of the next complete frame.
  mutating func nextRange() throws(Violation) -> Range<Int>? {
    if awaitsMagic, try !skipMagic() { return nil }
    if attachment != nil { return try nextRangeBehindAttachment() }
    let start = head + Frame.headerLength
    guard start <= buffer.count else { return nil }
    let count = buffer.withUnsafeBytes { bytes in
      Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: head, as: UInt32.self)))
    }
    guard count <= limit else {
      try beginAttachment(count)
      return try nextRangeBehindAttachment()
    }
    return buffer.count - start >= count ? start..<(start + count) : nil
  }

  /// An attachment is announced by a count with its highest bit set.
  private mutating func beginAttachment(_ header: Int) throws(Violation) {
    let count = header & ~Int(Frame.attachmentBit)
    guard attachmentLimit > 0, header != count else { throw .oversized(header) }
    guard attachment == nil else { throw .unexpected("two attachments in a row") }
    guard count <= attachmentLimit else {
      throw .unexpected("an attachment of \(count) bytes before a frame, which is over the limit")
    }
    attachment = Attachment(count)
    head += Frame.headerLength
  }

  /// The range of the body of the frame that an attachment belongs to.
  ///
  /// Separate from ``nextRange()``, which stays short enough to be inlined.
  @inline(never)
  private mutating func nextRangeBehindAttachment() throws(Violation) -> Range<Int>? {
    guard fillAttachment(), head + Frame.headerLength <= buffer.count else { return nil }
    let body = head + Frame.headerLength
    let count = buffer[head..<body].reduce(0) { $0 << 8 | Int($1) }
    guard count <= limit else {
      try beginAttachment(count)
      return nil
    }
    return buffer.count - body >= count ? body..<(body + count) : nil
  }

  /// Moves the buffered bytes of the attachment; returns whether the attachment is complete.
  private mutating func fillAttachment() -> Bool {
    guard let count = attachment?.missing, count > 0 else { return true }
    let taken = min(count, buffer.count - head)
    _ = buffer.withUnsafeBytes {
      attachment?.append(UnsafeRawBufferPointer(rebasing: $0[head..<head + taken]))
    }
    head += taken
    return taken == count
  }

  /// Whether the frame that was taken has an attachment.
  @inline(__always)
  var hasAttachment: Bool { attachment != nil }

  /// Takes the attachment of the frame that was taken.
  package mutating func takeAttachment() -> [UInt8]? {
    guard attachment != nil else { return nil }
    defer { attachment = nil }
    return attachment?.bytes
  }

  /// Bytes between two frames.
  private struct Attachment {
    private let count: Int
    private(set) var bytes: [UInt8] = []

    init(_ count: Int) {
      self.count = count
      bytes.reserveCapacity(min(count, Self.believedCount))
    }

    /// A larger attachment gets room for all of it only when so much has come, because its
    /// announced length may be false: 64 MiB.
    private static let believedCount = 64 << 20

    var missing: Int { count - bytes.count }

    /// Takes the bytes that belong to the attachment; returns the rest.
    mutating func append(_ piece: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
      let taken = min(missing, piece.count)
      // Growing by itself, an array may get room for twice as much.
      if bytes.count + taken > bytes.capacity { bytes.reserveCapacity(count) }
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: piece[..<taken]))
      return UnsafeRawBufferPointer(rebasing: piece[taken...])
    }
  }

  /// Looks for the magic line; bytes before it are noise.
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

  /// Throws if the stream begins with a frame, so that no magic line can follow.
  private func refuseFrame() throws(Violation) {
    guard searched == 0, buffer.count > Frame.headerLength,
      buffer[..<Frame.headerLength].reduce(0, { $0 << 8 | Int($1) }) <= limit,
      buffer[Frame.headerLength] == UInt8(ascii: "{")
    else { return }
    throw .frameBeforeMagic(Array(buffer[Frame.headerLength...].prefix(256)))
  }

  /// The offset of the magic line; searches each byte once, apart from the last ones.
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
      // The next bytes may complete the line.
      if start + Frame.magic.count <= buffer.count { searched = start }
    }
    return nil
  }

  /// Number of bytes from here on that match the magic line.
  private func magicPrefix(at start: Int) -> Int {
    zip(buffer[start...], Frame.magic).prefix { $0 == $1 }.count
  }

  private func isLineStart(_ start: Int) -> Bool {
    start == 0 || buffer[start - 1] == UInt8(ascii: "\n") || buffer[start - 1] == UInt8(ascii: "\r")
  }
}

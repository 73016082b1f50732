package import PoolModel

/// A stream of a worker that a relay carries.
package enum RelayStream: UInt8, Hashable, Sendable, CaseIterable {
  /// What the worker reads.
  case input
  /// What the worker says.
  case output
  /// The text of its standard error.
  case error
}

/// A frame between a coordinator and a relay, about one of its workers.
///
/// Four bytes with the number of those that follow, two with the number of the channel, one with
/// the type, the content, and a line feed, which line-buffering transports need. Numbers are
/// big-endian. `Protocol/README.md` is the normative text.
package enum RelayFrame: Hashable, Sendable {
  /// Start a worker for this channel.
  case open
  /// Send a signal to the worker; the relay repeats the frame when it has.
  case signal(Int32)
  /// Bytes of a stream, at most ``dataLimit``.
  case data(RelayStream, [UInt8])
  /// A stream has ended.
  case end(RelayStream)
  /// So many bytes more of a stream may be sent.
  case grant(RelayStream, UInt32)
  /// The worker has ended, with all that it had started; all of its streams came before.
  case exit(PoolExitStatus)

  /// The largest number of bytes in one frame: 32 KiB, so that each fits into a block.
  package static let dataLimit = 32 << 10

  /// Number of bytes before the content.
  static let headerLength = 7
  /// The largest number that a frame begins with.
  static let countLimit = dataLimit + 4

  private enum Kind {
    static let open = UInt8(ascii: "O")
    static let signal = UInt8(ascii: "S")
    static let end = UInt8(ascii: "E")
    static let grant = UInt8(ascii: "G")
    static let exit = UInt8(ascii: "X")
    /// The first of three.
    static let data = UInt8(ascii: "0")
  }

  /// Appends the frame.
  package func encode(on channel: UInt16, into bytes: inout [UInt8]) {
    let start = bytes.count
    bytes.append(contentsOf: [0, 0, 0, 0, UInt8(channel >> 8), UInt8(channel & 0xff)])
    switch self {
    case .open: bytes.append(Kind.open)
    case .signal(let number):
      bytes.append(Kind.signal)
      Self.append(UInt32(bitPattern: number), to: &bytes)
    case .data(let stream, let content):
      bytes.append(Kind.data + stream.rawValue)
      bytes.append(contentsOf: content)
    case .end(let stream): bytes.append(contentsOf: [Kind.end, stream.rawValue])
    case .grant(let stream, let count):
      bytes.append(contentsOf: [Kind.grant, stream.rawValue])
      Self.append(count, to: &bytes)
    case .exit(.exited(let code)):
      bytes.append(contentsOf: [Kind.exit, 0])
      Self.append(UInt32(bitPattern: code), to: &bytes)
    case .exit(.signaled(let number)):
      bytes.append(contentsOf: [Kind.exit, 1])
      Self.append(UInt32(bitPattern: number), to: &bytes)
    }
    bytes.append(UInt8(ascii: "\n"))
    let count = UInt32(bytes.count - start - 4)
    withUnsafeBytes(of: count.bigEndian) { bytes.replaceSubrange(start..<start + 4, with: $0) }
  }

  private static func append(_ number: UInt32, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }

  /// Decodes what follows the channel, without the line feed; nil if it is no frame.
  init?(_ body: UnsafeRawBufferPointer) {
    guard let kind = body.first else { return nil }
    let content = UnsafeRawBufferPointer(rebasing: body[1...])
    let stream = content.first.flatMap(RelayStream.init)
    switch (kind, content.count) {
    case (Kind.open, 0): self = .open
    case (Kind.signal, 4): self = .signal(Int32(bitPattern: Self.number(in: content, at: 0)))
    case (Kind.end, 1):
      guard let stream else { return nil }
      self = .end(stream)
    case (Kind.grant, 5):
      guard let stream else { return nil }
      self = .grant(stream, Self.number(in: content, at: 1))
    case (Kind.exit, 5) where content[0] < 2:
      let number = Int32(bitPattern: Self.number(in: content, at: 1))
      self = .exit(content[0] == 0 ? .exited(number) : .signaled(number))
    default:
      guard kind >= Kind.data, let stream = RelayStream(rawValue: kind - Kind.data),
        (1...Self.dataLimit).contains(content.count)
      else { return nil }
      self = .data(stream, Array(content))
    }
  }

  private static func number(in bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt32 {
    UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }
}

/// Splits a relay's stream of bytes into frames, whatever the sizes of its pieces.
struct RelayFrameDecoder {
  private var buffer: [UInt8] = []

  /// Takes a piece, and passes all complete frames to the closure.
  mutating func take(
    _ bytes: UnsafeRawBufferPointer,
    _ body: (UInt16, RelayFrame) throws(Violation) -> Void
  ) throws(Violation) {
    buffer.append(contentsOf: bytes)
    var start = 0
    while let (channel, frame, count) = try first(from: start) {
      start += count
      try body(channel, frame)
    }
    buffer.removeFirst(start)
  }

  /// The frame that begins there, and the number of its bytes; nil if it is not complete.
  private func first(from start: Int) throws(Violation) -> (UInt16, RelayFrame, Int)? {
    guard buffer.count - start >= 4 else { return nil }
    let bytes = buffer[start...]
    let count = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    guard (4...RelayFrame.countLimit).contains(count) else {
      throw .unexpected("a relay's frame of \(count) bytes")
    }
    guard bytes.count >= 4 + count else { return nil }
    let channel = UInt16(bytes[start + 4]) << 8 | UInt16(bytes[start + 5])
    let end = start + 4 + count
    let frame = buffer.withUnsafeBytes {
      RelayFrame(UnsafeRawBufferPointer(rebasing: $0[(start + 6)..<(end - 1)]))
    }
    guard let frame, buffer[end - 1] == UInt8(ascii: "\n") else {
      throw .unexpected("what is no frame of a relay")
    }
    return (channel, frame, 4 + count)
  }
}

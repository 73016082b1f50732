import PoolSystem
import PoolWire

/// The bytes that wait to be written to a worker's input, which does not block.
struct OutboundPipe {
  /// From this size on, the pipe is widened, and sent bytes are freed early: 256 KiB.
  static let large = 256 << 10

  private var writer = JSONWriter()
  /// Number of these bytes that the pipe has taken.
  private var sent = 0
  private(set) var isOpen = true
  /// Whether the pipe is closed after the last byte.
  var closesAtEnd = false

  /// Puts what follows into blocks, if the worker takes them.
  private var seal: Seal?

  /// How bytes are put into blocks.
  private struct Seal {
    var sealer = SealedStream.Sealer()
    /// Number of the first bytes that go out as they are.
    var plainCount: Int
    /// The block that is being written, and how many of its bytes were.
    var block: [UInt8] = []
    var written = 0
    /// Number of the stream's bytes that are in it.
    var content = 0
  }

  /// Everything that is added from here on goes out in blocks.
  mutating func beginSealing() {
    seal = Seal(plainCount: end)
  }

  /// Whether anything can still be added.
  var takesMessages: Bool { isOpen && !closesAtEnd }

  /// Whether something waits to be sent, or the pipe waits to be closed.
  @inline(__always)
  var hasPending: Bool {
    guard isOpen else { return false }
    return sent < writer.bytes.count || closesAtEnd || !writer.attachments.isEmpty
  }

  /// Number of bytes that wait to be sent.
  var pendingCount: Int { end - sent }

  /// Lets the closure add messages; nil if none can be added.
  @inline(__always)
  @discardableResult
  mutating func append<Value>(_ write: (inout JSONWriter) -> Value) -> Value? {
    takesMessages ? write(&writer) : nil
  }

  /// Writes as much as the pipe takes.
  mutating func flush(to channel: any WorkerChannel) {
    guard isOpen else { return }
    let count = end
    while sent < count {
      switch seal == nil ? write(to: channel) : writeSealed(to: channel) {
      case .bytes(let count): sent += count
      case .wouldBlock:
        if sent > Self.large { dropSent() }
        return
      case .endOfFile: return close(channel.input)
      }
    }
    writer.removeAll()
    sent = 0
    seal?.plainCount = 0
    if closesAtEnd { close(channel.input) }
  }

  private mutating func dropSent() {
    let count = writer.drop(sent: sent)
    sent -= count
    if let plain = seal?.plainCount { seal?.plainCount = max(plain - count, 0) }
  }

  /// Writes a block, as far as the pipe takes it.
  ///
  /// Its bytes count as sent when all of it is written: the worker takes nothing of it before.
  private mutating func writeSealed(to channel: any WorkerChannel) -> SystemIO.Transfer {
    guard var seal else { return .endOfFile }
    defer { self.seal = seal }
    if sent < seal.plainCount {
      let count = seal.plainCount - sent
      return writer.withPiece(from: sent) {
        channel.write(UnsafeRawBufferPointer(rebasing: $0.prefix(count)))
      }
    }
    if seal.content == 0 {
      seal.content = writer.withPiece(from: sent) { seal.sealer.seal($0, into: &seal.block) }
    }
    while seal.written < seal.block.count {
      let transfer = seal.block.withUnsafeBytes {
        channel.write(UnsafeRawBufferPointer(rebasing: $0[seal.written...]))
      }
      guard case .bytes(let count) = transfer else { return transfer }
      seal.written += count
    }
    let content = seal.content
    seal.block.removeAll(keepingCapacity: true)
    (seal.written, seal.content) = (0, 0)
    return .bytes(content)
  }

  /// The offset after the last byte.
  ///
  /// Without attachments, which are rare, avoids a call that would copy the writer.
  @inline(__always)
  private var end: Int {
    writer.attachments.isEmpty ? writer.bytes.count : writer.count
  }

  /// Writes once.
  private func write(to channel: any WorkerChannel) -> SystemIO.Transfer {
    guard writer.attachments.isEmpty else {
      return writer.withPiece(from: sent) { channel.write($0) }
    }
    return writer.bytes.withUnsafeBytes {
      channel.write(UnsafeRawBufferPointer(rebasing: $0[sent...]))
    }
  }

  /// Closes the pipe, once.
  mutating func close(_ descriptor: Int32) {
    guard isOpen else { return }
    isOpen = false
    Descriptors.close(descriptor)
  }
}

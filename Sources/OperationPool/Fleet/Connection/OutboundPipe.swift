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

  /// Whether anything can still be added.
  var takesMessages: Bool { isOpen && !closesAtEnd }

  /// Whether something waits to be sent, or the pipe waits to be closed.
  @inline(__always)
  var hasPending: Bool {
    guard isOpen else { return false }
    return sent < writer.bytes.count || closesAtEnd || !writer.attachments.isEmpty
  }

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
      switch write(to: channel) {
      case .bytes(let count): sent += count
      case .wouldBlock:
        if sent > Self.large { sent -= writer.drop(sent: sent) }
        return
      case .endOfFile: return close(channel.input)
      }
    }
    writer.removeAll()
    sent = 0
    if closesAtEnd { close(channel.input) }
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

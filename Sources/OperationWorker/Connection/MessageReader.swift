import PoolModel
import PoolSystem
import PoolWire
import Synchronization

/// Reads the coordinator's messages, on the thread whose turn it is.
///
/// The thread that reads a request answers it at once, even while an operation executes.
struct MessageReader: ~Copyable {
  /// As much as a pipe holds by default; a widened pipe holds more.
  private static let chunk = 256 << 10
  /// The least number of bytes of a large frame.
  private static let large = 1 << 20

  private let descriptor: Int32
  private var spinPolicy = SpinPolicy()
  /// Number of operations in the latest read.
  private var batch = 0
  private var decoder = FrameDecoder(preamble: .none)
  /// Takes the frames out of their blocks, where the coordinator sends such.
  private var opener: SealedStream.Opener?
  /// Whether the decoder may hold the memory of a large frame.
  private var isLarge = false
  /// Operations on their way to the machine; the memory is reused.
  private var operations: [Execute] = []
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 16)

  init(descriptor: Int32) {
    self.descriptor = descriptor
    decoder.attachmentLimit = PackedValue.limit
  }

  deinit {
    buffer.deallocate()
  }

  /// Waits for input, and receives it; false if no more will come.
  mutating func read(for connection: CoordinatorConnection) -> Bool {
    let start = MonotonicClock.now
    if spinPolicy.pays(after: batch) { look(since: start) }
    defer { spinPolicy.noteWait(of: MonotonicClock.now - start) }
    return readOnce(for: connection)
  }

  /// Receives the input that is already there; false if no more will come.
  mutating func glance(for connection: CoordinatorConnection) -> Bool {
    !SystemIO.canRead(descriptor) || readOnce(for: connection)
  }

  private mutating func readOnce(for connection: CoordinatorConnection) -> Bool {
    do {
      let count = try SystemIO.readWaiting(descriptor, into: buffer)
      guard count > 0 else {
        try decoder.end()
        return false
      }
      try append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      noteSize(for: connection)
      try receiveAll(for: connection)
      return true
    } catch let violation as Violation {
      connection.fail(PoolWorkerError(.protocolViolation, "the coordinator \(violation)"))
    } catch {
      connection.fail(PoolWorkerError(.system, "\(error)"))
    }
    return false
  }

  private mutating func append(_ bytes: UnsafeRawBufferPointer) throws(Violation) {
    guard var opener = opener.take() else { return decoder.append(bytes) }
    defer { self.opener = opener }
    try opener.open(bytes) { decoder.append($0) }
  }

  /// What follows this message is in blocks; some of it may have come with it.
  private mutating func beginOpening() throws(Violation) {
    opener = SealedStream.Opener()
    let rest = decoder.takeRest()
    try rest.withBytes { bytes throws(Violation) in try append(bytes) }
  }

  /// Notes that a large frame comes, and with the read after it, that its memory is free again.
  private mutating func noteSize(for connection: CoordinatorConnection) {
    let wasLarge = isLarge
    isLarge = decoder.pendingCount > Self.large
    if wasLarge || isLarge { connection.hasReadLargeFrame.store(true, ordering: .relaxed) }
  }

  /// Polls for input for a moment.
  private func look(since start: Int64) {
    while !SystemIO.canRead(descriptor), MonotonicClock.now - start < SpinPolicy.span {
      SystemThread.yieldProcessor()
    }
  }

  /// Goes on reading after a failure, only to notice the end of the input.
  func skipRest() {
    while let count = try? SystemIO.readWaiting(descriptor, into: buffer), count > 0 {}
  }

  /// Receives all whole messages; consecutive operations reach the machine together.
  private mutating func receiveAll(for connection: CoordinatorConnection) throws {
    batch = 0
    var isOver = false
    while !isOver {
      let message = try decoder.nextCoordinatorMessage(after: &operations)
      batch += operations.count
      try connection.prefetch(&operations)
      if let message { try connection.receive(message) } else { isOver = true }
      if case .welcome(let welcome) = message, welcome.isSealed { try beginOpening() }
    }
  }
}

import PoolModel
import PoolSystem
import PoolWire

/// The thread that reads: requests that cannot wait are answered here, whatever executes.
struct InputReader: Sendable {
  /// As much as a pipe holds.
  private static let chunk = 64 << 10

  let descriptor: Int32
  let session: WorkerSession

  /// Reads until the end of the input.
  func run() {
    do {
      try readMessages()
    } catch let violation as Violation {
      session.fail(PoolWorkerError(.protocolViolation, "the coordinator \(violation)"))
      skipRest()
    } catch {
      session.fail(PoolWorkerError(.system, "\(error)"))
    }
    session.endInput()
  }

  private func readMessages() throws {
    var decoder = FrameDecoder(preamble: .none)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunk, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = try SystemIO.readWaiting(descriptor, into: buffer)
      guard count > 0 else { return try decoder.end() }
      decoder.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      try receiveAll(&decoder)
    }
  }

  /// Handles all whole messages; operations that follow one another enter the inbox together.
  private func receiveAll(_ decoder: inout FrameDecoder) throws {
    var operations: [Execute] = []
    while let message = try nextMessage(&decoder) {
      if case .execute(let operation) = message {
        operations.append(operation)
      } else {
        try hold(&operations)
        try receive(message)
      }
    }
    try hold(&operations)
  }

  private func nextMessage(
    _ decoder: inout FrameDecoder
  ) throws(Violation) -> CoordinatorMessage? {
    try decoder.next { body throws(Violation) in try CoordinatorMessage(body: body) }
  }

  private func hold(_ operations: inout [Execute]) throws {
    guard !operations.isEmpty else { return }
    try session.inbox.withLock { inbox throws(Violation) in try inbox.hold(operations) }
    session.inbox.signal()
    operations.removeAll(keepingCapacity: true)
  }

  private func receive(_ message: CoordinatorMessage) throws {
    switch message {
    case .welcome(let welcome):
      try session.inbox.withLock { inbox throws(Violation) in try inbox.accept(welcome) }
    case .execute(let operation):
      var operations = [operation]
      try hold(&operations)
    case .cancel(let reference, let ladder):
      try session.cancel(reference, ladder)
    case .recall(let reference):
      try session.recall(reference)
    case .release(let reference):
      session.files.release(reference)
    case .ping(let number):
      try session.output.send(.pong(number))
    case .drain:
      session.inbox.withLock { $0.drain() }
      session.inbox.signal()
    case .unknown:
      // A newer coordinator may say more than this version understands.
      break
    }
  }

  /// Reads on after a violation, for the end of the input alone.
  private func skipRest() {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunk, alignment: 16)
    defer { buffer.deallocate() }
    while let count = try? SystemIO.readWaiting(descriptor, into: buffer), count > 0 {}
  }
}

import PoolModel
import PoolSystem
import PoolWire

/// What the coordinator has sent, read and dealt with piece by piece, by whichever thread's turn it
/// is.
///
/// Requests that cannot wait are answered by the thread that read them, whatever executes.
struct InputReader: ~Copyable {
  /// As much as a pipe holds.
  private static let chunk = 64 << 10

  private let descriptor: Int32
  private var spinPolicy = SpinPolicy()
  /// How many operations came at once at last.
  private var bunch = 0
  private var decoder = FrameDecoder(preamble: .none)
  /// Operations that are about to enter the inbox; its memory is used again.
  private var operations: [Execute] = []
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 16)

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    buffer.deallocate()
  }

  /// Waits for something to read, and deals with it; false where no more will come.
  mutating func read(for session: WorkerSession) -> Bool {
    let start = MonotonicClock.now
    if spinPolicy.pays(after: bunch) { look(since: start) }
    defer { spinPolicy.noteWait(of: MonotonicClock.now - start) }
    return readOnce(for: session)
  }

  /// Deals with what there is to read by now; false where no more will come.
  mutating func glance(for session: WorkerSession) -> Bool {
    !SystemIO.canRead(descriptor) || readOnce(for: session)
  }

  private mutating func readOnce(for session: WorkerSession) -> Bool {
    do {
      let count = try SystemIO.readWaiting(descriptor, into: buffer)
      guard count > 0 else {
        try decoder.end()
        return false
      }
      decoder.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      try receiveAll(for: session)
      return true
    } catch let violation as Violation {
      session.fail(PoolWorkerError(.protocolViolation, "the coordinator \(violation)"))
    } catch {
      session.fail(PoolWorkerError(.system, "\(error)"))
    }
    return false
  }

  /// Looks for something to read, for a moment.
  private func look(since start: Int64) {
    while !SystemIO.canRead(descriptor), MonotonicClock.now - start < SpinPolicy.span {
      CurrentProcess.yieldProcessor()
    }
  }

  /// Reads on after a failure, for the end of the input alone.
  func skipRest() {
    while let count = try? SystemIO.readWaiting(descriptor, into: buffer), count > 0 {}
  }

  /// Deals with all whole messages; operations that follow one another enter the inbox together.
  private mutating func receiveAll(for session: WorkerSession) throws {
    bunch = 0
    var isOver = false
    while !isOver {
      let message = try decoder.nextCoordinatorMessage(after: &operations)
      bunch += operations.count
      try session.accept(&operations)
      if let message { try session.receive(message) } else { isOver = true }
    }
  }
}

extension WorkerSession {
  fileprivate func accept(_ operations: inout [Execute]) throws {
    guard !operations.isEmpty else { return }
    try inbox.withLock { inbox throws(Violation) in try inbox.accept(&operations) }
  }

  /// Where the memory is out of reach, each operation's beginning is sent at once instead.
  private func useOutbox(at place: OutboxPlace) {
    guard
      let memory = try? SharedMemory(place.descriptor, of: place.pid, count: place.bytes),
      let outbox = Outbox(memory)
    else { return }
    output.use(outbox)
  }

  fileprivate func receive(_ message: CoordinatorMessage) throws {
    switch message {
    case .welcome(let welcome):
      try inbox.withLock { inbox throws(Violation) in try inbox.accept(welcome) }
      if let place = welcome.outbox { useOutbox(at: place) }
    case .execute:
      preconditionFailure("operations were taken before")
    case .cancel(let reference, let teardown):
      try cancel(reference, teardown)
    case .recall(let reference):
      try recall(reference)
    case .release(let reference):
      files.release(reference)
    case .ping(let number):
      try output.send(.pong(number))
    case .drain:
      inbox.withLock { $0.drain() }
    case .unknown:
      // A newer coordinator may say more than this version understands.
      break
    }
  }
}

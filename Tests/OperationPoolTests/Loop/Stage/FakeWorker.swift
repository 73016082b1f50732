import PoolModel
import PoolSystem
import PoolTestSupport
import PoolWire
import Synchronization

@testable import OperationPool

/// A worker that a test plays: the far ends of its pipes, and the signals that it gets.
final class FakeWorker: Sendable {
  /// No process has this number.
  static let number = Int32.max

  /// What was done to it.
  enum Deed: Hashable {
    case signal(Int32)
    case groupSignal(Int32, group: Int32)
    case kill(group: Int32?)
    case insist
    case discard
  }

  fileprivate struct State {
    var deeds: [Deed] = []
    var status: PoolExitStatus?
    /// How many bytes a write takes, before the next one finds no room.
    var room: Int?
    var isFull = false
    var decoder = FrameDecoder(preamble: .none)
    var isHungUp = false
  }

  fileprivate let state = Mutex(State())
  fileprivate let pipes: [Descriptors.PipeEnds]
  private let ended: @Sendable (PoolExitStatus) -> Void

  init(_ ended: @escaping @Sendable (PoolExitStatus) -> Void) throws {
    self.ended = ended
    pipes = try (0..<3).map { _ in try Descriptors.pipe() }
    for pipe in pipes {
      try Descriptors.setNonBlocking(pipe.read)
      try Descriptors.setNonBlocking(pipe.write)
    }
  }

  deinit {
    hangUp()
    Descriptors.close(pipes[0].read)
    Descriptors.close(pipes[2].write)
  }

  /// The loop's side.
  func makeProcess() -> sending any WorkerProcess { FakeProcess(self) }

  /// What was done to it so far.
  var deeds: [Deed] { state.withLock { $0.deeds } }

  /// From here on, its input takes so many bytes at a time.
  func narrow(to byteCount: Int) {
    state.withLock { $0.room = byteCount }
  }

  /// What the system says of its end, before anything tells of it.
  func setStatus(_ status: PoolExitStatus) {
    state.withLock { $0.status = status }
  }

  /// Says hello, as no process or as this one, whose files can be opened.
  func greet(
    kinds: [String] = ["k"],
    _ capabilities: Set<Capability> = [],
    pid: Int32 = FakeWorker.number
  ) throws {
    try write(Frame.magic)
    try say(.hello(Hello(pid: pid, kinds: kinds, capabilities: capabilities)))
  }

  func say(_ messages: WorkerMessage...) throws {
    try write(Self.bytes(of: messages))
  }

  func write(_ bytes: [UInt8]) throws {
    try SystemIO.writeAll(pipes[1].write, bytes)
  }

  static func bytes(of messages: [WorkerMessage]) -> [UInt8] {
    var writer = JSONWriter()
    for message in messages { message.encode(into: &writer) }
    return writer.bytes
  }

  /// The messages in its input.
  func hear() throws -> [CoordinatorMessage] {
    try state.withLock { state in
      try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
        while case .bytes(let count) = try SystemIO.read(pipes[0].read, into: buffer) {
          state.decoder.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
      }
      var messages: [CoordinatorMessage] = []
      while let message = try state.decoder.nextCoordinatorMessage() { messages.append(message) }
      return messages
    }
  }

  /// Closes its output, and waits until the other side could see that, unless it has closed it.
  func hangUp(isOpen: Bool = false) {
    let wasOpen = state.withLock { state in
      defer { state.isHungUp = true }
      return !state.isHungUp
    }
    guard wasOpen else { return }
    if isOpen { return Descriptors.close(pipes[1].write, seenFrom: pipes[1].read) }
    Descriptors.close(pipes[1].write)
  }

  /// Ends, and is told of.
  func end(_ status: PoolExitStatus) {
    hangUp()
    ended(status)
  }
}

extension FrameDecoder {
  fileprivate mutating func nextCoordinatorMessage() throws(Violation) -> CoordinatorMessage? {
    try next { body throws(Violation) in try CoordinatorMessage(scanning: body) }
  }
}

/// The loop's side of a worker that a test plays.
private final class FakeProcess: WorkerProcess {
  private let worker: FakeWorker

  init(_ worker: FakeWorker) {
    self.worker = worker
  }

  var pid: Int32 { FakeWorker.number }
  var input: Int32 { worker.pipes[0].write }
  var output: Int32 { worker.pipes[1].read }
  var error: Int32 { worker.pipes[2].read }

  func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> SystemIO.Transfer {
    (try? SystemIO.read(descriptor, into: buffer)) ?? .endOfFile
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> SystemIO.Transfer {
    let room: Int? = worker.state.withLock { state in
      guard let room = state.room else { return bytes.count }
      state.isFull.toggle()
      return state.isFull ? room : nil
    }
    guard let room else { return .wouldBlock }
    let taken = UnsafeRawBufferPointer(rebasing: bytes[..<min(room, bytes.count)])
    return (try? SystemIO.write(input, taken)) ?? .endOfFile
  }

  var status: PoolExitStatus? { worker.state.withLock { $0.status } }
  func isStopped(_ worker: Int32) -> Bool { false }
  func isAncestor(of process: Int32) -> Bool {
    [FakeWorker.number, CurrentProcess.identifier].contains(process)
  }
  func residentBytes(of worker: Int32) -> Int? { nil }

  func send(_ signal: Int32) { note(.signal(signal)) }
  func send(_ signal: Int32, toGroup group: Int32) { note(.groupSignal(signal, group: group)) }
  func kill(with group: Int32?) { note(.kill(group: group)) }
  func insist(on worker: Int32) { note(.insist) }
  func wakeGuardian() {}

  func discard() {
    note(.discard)
    for descriptor in [input, output, error] { Descriptors.close(descriptor) }
  }

  private func note(_ deed: FakeWorker.Deed) {
    worker.state.withLock { $0.deeds.append(deed) }
  }
}

import PoolModel
import PoolSystem
import PoolWire

/// Reads the outputs of one command after the other from pipes while they execute, and sends them to
/// the coordinator in pieces.
///
/// A thread waits for what commands write. While it cannot send a piece, because the coordinator
/// takes no more, it reads nothing: the pipe fills up, and the command waits. The pipes are used
/// again by the next command if no process of the last one has them open. Otherwise what is written
/// to them is read and dropped until they are closed, as it would be lost in a file.
final class LiveOutputReader: Sendable {
  /// Which thread reads the pipes.
  private enum Reader {
    case none
    /// The reader's own, while a command executes.
    case own
    /// The main one, when a command has ended.
    case main
  }

  private struct State {
    var pipes: LivePipes?
    /// The operation whose command writes to the pipes.
    var operation: DispatchReference?
    var reader = Reader.none
    /// Pipes that the thread does not know yet, in the order of their commands.
    var new: [LivePipes] = []
    var wakePipe: WakePipe?
  }

  private let state = Monitor(State())

  /// How long the thread waits for more, if what a command has written is little: 2 ms.
  ///
  /// Most commands that write little have ended by then, and what they wrote is in their answer.
  private static let gathering = Int64.milliseconds(2)

  /// Returns the pipes for a command, which is about to start.
  func begin(
    _ operation: DispatchReference,
    in connection: CoordinatorConnection
  ) throws(SystemFailure) -> LivePipes {
    if let pipes = state.withLock({ $0.pipes }) {
      try pipes.resetFlags()
      state.withLock { $0.operation = operation }
      return pipes
    }
    let wakePipe = try wakePipe(in: connection)
    let pipes = try LivePipes()
    state.withLock { state in
      state.pipes = pipes
      state.new.append(pipes)
      state.operation = operation
    }
    wakePipe.wake()
    return pipes
  }

  /// Ends the reading for a command that has ended; sends the rest of a long output, and returns that
  /// of a short one.
  ///
  /// `isAlone` says that no other process has the pipes open.
  func end(
    _ connection: CoordinatorConnection,
    isAlone: Bool
  ) -> (output: [UInt8], error: [UInt8]) {
    let (pipes, operation) = state.wait(
      while: { $0.reader == .own },
      then: { state in
        state.reader = .main
        return (state.pipes, state.operation)
      }
    )
    guard let pipes, let operation else { return ([], []) }
    let output = rest(of: pipes.output, isError: false, operation, connection)
    let error = rest(of: pipes.error, isError: true, operation, connection)
    let wakePipe = state.withLock { state -> WakePipe? in
      state.reader = .none
      state.operation = nil
      guard !isAlone else { return nil }
      state.pipes = nil
      return state.wakePipe
    }
    state.broadcast()
    if !isAlone { pipes.closeWriteEnds() }
    wakePipe?.wake()
    return (output, error)
  }

  /// Reads what a pipe holds now; sends it in pieces where it is more than an answer takes.
  private func rest(
    of pipe: Descriptors.PipeEnds,
    isError: Bool,
    _ operation: DispatchReference,
    _ connection: CoordinatorConnection
  ) -> [UInt8] {
    // A process that the command left behind may write forever.
    var limit = Descriptors.unreadByteCount(in: pipe.read)
    var rest: [UInt8] = []
    while limit > 0, let bytes = Self.read(pipe.read, atMost: min(limit, AnswerLimit.outputChunk)) {
      limit -= bytes.count
      rest += bytes
      guard rest.count > AnswerLimit.inlineOutput else { continue }
      connection.send(OutputChunk(isError: isError, bytes: rest), of: operation)
      rest = []
    }
    return rest
  }

  /// Reads once; nil if nothing is there.
  private static func read(_ descriptor: Int32, atMost count: Int) -> [UInt8]? {
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      let result = try? SystemIO.read(descriptor, into: UnsafeMutableRawBufferPointer(buffer))
      if case .bytes(let count)? = result { filled = count }
    }
    return bytes.isEmpty ? nil : bytes
  }
}

// MARK: - The thread

extension LiveOutputReader {
  /// Starts the thread before the first command.
  private func wakePipe(in connection: CoordinatorConnection) throws(SystemFailure) -> WakePipe {
    if let wakePipe = state.withLock({ $0.wakePipe }) { return wakePipe }
    let wakePipe = try WakePipe()
    try SystemThread.start(name: "opool-output", mask: .full) { [self] in
      serve(wakePipe, connection)
    }.detach()
    state.withLock { $0.wakePipe = wakePipe }
    return wakePipe
  }

  private func serve(_ wakePipe: WakePipe, _ connection: CoordinatorConnection) {
    var watched = WatchedPipes(wakePipe)
    var isFlood = false
    while true {
      watched.wait()
      let (new, isLast) = state.withLock { state in
        defer { state.new = [] }
        return (state.new, state.pipes == nil)
      }
      for pipes in new { watched.watch(pipes) }
      if isLast { watched.leave() }
      watched.dropLeft()
      guard let pipes = watched.readable else { continue }
      if !isFlood { MonotonicClock.sleep(nanoseconds: Self.gathering) }
      isFlood = pass(pipes, to: connection)
    }
  }

  /// Sends what is in the pipes of the command that executes; returns whether there was much.
  private func pass(_ pipes: LivePipes, to connection: CoordinatorConnection) -> Bool {
    let operation = state.wait(
      while: { $0.reader == .main },
      then: { state -> DispatchReference? in
        guard state.pipes == pipes, let operation = state.operation else { return nil }
        state.reader = .own
        return operation
      }
    )
    guard let operation else { return false }
    var isFlood = false
    for (pipe, isError) in [(pipes.output, false), (pipes.error, true)] {
      guard let bytes = Self.read(pipe.read, atMost: AnswerLimit.outputChunk) else { continue }
      if bytes.count == AnswerLimit.outputChunk {
        isFlood = true
        SystemIO.widenPipe(pipe.write, for: AnswerLimit.outputChunk * 8)
      }
      connection.send(OutputChunk(isError: isError, bytes: bytes), of: operation)
    }
    state.withLock { $0.reader = .none }
    state.broadcast()
    return isFlood
  }
}

extension CoordinatorConnection {
  /// Sends a piece of the output of an operation that executes; waits until that is written.
  fileprivate func send(_ chunk: OutputChunk, of operation: DispatchReference) {
    report(.output(operation, chunk), of: operation)
  }
}

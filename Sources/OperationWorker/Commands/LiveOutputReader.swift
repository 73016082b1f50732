import PoolModel
import PoolSystem
import PoolWire

/// Reads the outputs of one command after the other from pipes while they execute, and sends them
/// to the coordinator in pieces.
///
/// A thread waits for what commands write. While it cannot send a piece, because the coordinator
/// takes no more, it reads nothing: the pipe fills up, and the command waits. The pipes are used
/// again by the next command if no process of the last one has them open.
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
    /// Pipes that processes of an ended command may have open.
    var left: (pipes: LivePipes, late: LateOutput)?
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

  /// Ends the reading for a command that has ended; sends the rest of a long output, and returns
  /// that of a short one.
  func end(_ late: LateOutput) -> (output: [UInt8], error: [UInt8]) {
    let (pipes, operation) = state.wait(
      while: { $0.reader == .own },
      then: { state in
        state.reader = .main
        return (state.pipes, state.operation)
      }
    )
    guard let pipes, operation == late.reference else { return ([], []) }
    var (output, error) = (LiveRest(isError: false, late), LiveRest(isError: true, late))
    // Asked first: what the last process writes before its end must not stay in the pipes.
    let isAlone = late.connection.subreaper?.isAlone ?? false
    _ = read(pipes, &output, &error)
    if !isAlone { spendGrace(of: late, on: pipes, &output, &error) }
    let wakePipe = state.withLock { state -> WakePipe? in
      state.reader = .none
      state.operation = nil
      guard !isAlone else { return nil }
      state.pipes = nil
      state.left = (pipes, late)
      return state.wakePipe
    }
    state.broadcast()
    wakePipe?.wake()
    return (output.bytes, error.bytes)
  }

  /// Takes what processes that the command has left behind write as long as the grace allows.
  private func spendGrace(
    of late: LateOutput,
    on pipes: LivePipes,
    _ output: inout LiveRest,
    _ error: inout LiveRest
  ) {
    pipes.closeWriteEnds()
    var open = (output: pipes.output.read, error: pipes.error.read)
    OutputGrace.spend(
      late.grace,
      on: { open },
      isWanted: late.isWanted,
      isBusy: late.isBusy,
      read: {
        let count = read(pipes, &output, &error)
        if SystemIO.hasLostWriters(pipes.output.read) { open.output = -1 }
        if SystemIO.hasLostWriters(pipes.error.read) { open.error = -1 }
        return count
      }
    )
  }

  /// Reads what both pipes hold now; returns the number of bytes.
  private func read(
    _ pipes: LivePipes,
    _ output: inout LiveRest,
    _ error: inout LiveRest
  ) -> Int {
    read(pipes.output.read, into: &output) + read(pipes.error.read, into: &error)
  }

  private func read(_ pipe: Int32, into rest: inout LiveRest) -> Int {
    // A process that the command left behind may write forever.
    let unread = Descriptors.unreadByteCount(in: pipe)
    var count = 0
    while count < unread,
      let bytes = Self.read(pipe, atMost: min(unread - count, AnswerLimit.outputChunk))
    {
      count += bytes.count
      rest.append(bytes)
    }
    return count
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
      let (new, left) = state.withLock { state in
        defer { (state.new, state.left) = ([], nil) }
        return (state.new, state.left)
      }
      if let left { watched.hand(left.pipes, to: left.late) }
      for pipes in new { watched.watch(pipes) }
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
        if connection.mayWidenPipes {
          SystemIO.widenPipe(pipe.write, for: AnswerLimit.outputChunk * 8)
        }
      }
      connection.send(OutputChunk(isError: isError, bytes: bytes), of: operation)
    }
    state.withLock { $0.reader = .none }
    state.broadcast()
    return isFlood
  }
}

/// The end of an output whose beginning was sent while the command executed.
private struct LiveRest {
  private let isError: Bool
  private let late: LateOutput
  /// As much as an answer takes; more is sent ahead of it.
  private(set) var bytes: [UInt8] = []

  init(isError: Bool, _ late: LateOutput) {
    (self.isError, self.late) = (isError, late)
  }

  mutating func append(_ piece: [UInt8]) {
    bytes += piece
    guard bytes.count > AnswerLimit.inlineOutput else { return }
    late.connection.send(OutputChunk(isError: isError, bytes: bytes), of: late.reference)
    bytes = []
  }
}

extension CoordinatorConnection {
  /// Sends a piece of the output of an operation that executes; waits until that is written.
  fileprivate func send(_ chunk: OutputChunk, of operation: DispatchReference) {
    report(.output(operation, chunk), of: operation)
  }
}

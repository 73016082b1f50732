import PoolContents
import PoolSystem
import PoolWire
import Synchronization

/// The outputs of one command on their way to the reader of its lines: written on the loop's
/// thread, read by one task.
///
/// After the end of the operation, the reader still gets what is left.
final class OutputLines: Sendable {
  /// What the reader finds.
  enum Poll {
    case piece(OutputPiece)
    case nothingYet
    case over
  }

  fileprivate struct State {
    var pieces: [OutputPiece] = []
    /// Number of pieces that were read.
    var readCount = 0
    var load = PrinterLoad()
    /// Number of bytes of each output that came in the attempt, so that its report adds the rest.
    var (outputCount, errorCount): (Int64, Int64) = (0, 0)
    var attempt = 1
    var isOver = false
    var omittedByteCount = 0
    var readers: [WaitingReader] = []
  }

  private let state = Mutex(State())

  /// Whether so much is waiting to be read that the command must wait.
  var isFull: Bool { state.withLock { $0.load.isFull && !$0.isOver } }

  /// Number of bytes that were dropped.
  var omittedByteCount: Int { state.withLock { $0.omittedByteCount } }

  /// Adds a piece of the executing attempt.
  func append(_ chunk: OutputChunk) {
    change { state in
      if chunk.isError {
        state.errorCount += Int64(chunk.bytes.count)
      } else {
        state.outputCount += Int64(chunk.bytes.count)
      }
      state.add(.bytes(chunk.bytes, chunk.isError ? .error : .output, attempt: state.attempt))
    }
  }

  /// An attempt has ended, and another one follows: adds the rest of its outputs.
  func endAttempt(_ attempt: Int, with report: AttemptReport) {
    change { $0.end(attempt, report) }
  }

  /// The operation has ended: adds the rest of its outputs.
  func end(_ attempt: Int, with report: AttemptReport) {
    change { state in
      state.end(attempt, report)
      state.isOver = true
    }
  }

  /// The operation is gone, and may never have executed.
  func close() {
    change { $0.isOver = true }
  }

  /// The reader is gone: what comes is dropped.
  func abandon() {
    let wasFull = change { state in
      defer { state.isOver = true }
      state.pieces = []
      state.readCount = 0
      return state.load.isFull
    }
    if wasFull { OperationRegistry.process.engine.readAgain() }
  }

  /// The next piece.
  func poll() -> Poll {
    let (poll, hasRoom) = state.withLock { $0.next() }
    if hasRoom { OperationRegistry.process.engine.readAgain() }
    return poll
  }

  /// Returns when there may be a piece, and at the end; cancelling the task abandons the rest.
  func wait(isolation actor: isolated (any Actor)? = #isolation) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let reader = WaitingReader(continuation)
        let waits = state.withLock { state in
          guard !state.isOver, state.pieces.isEmpty else { return false }
          state.readers.append(reader)
          return true
        }
        if !waits { reader.resume() }
      }
    } onCancel: {
      abandon()
    }
  }

  /// Changes the state, and wakes the reader.
  @discardableResult
  private func change<Value>(_ body: (inout State) -> Value) -> Value {
    let (value, readers) = state.withLock { state in
      let value = body(&state)
      defer { state.readers = [] }
      return (value, state.readers)
    }
    for reader in readers { reader.resume() }
    return value
  }
}

extension OutputLines.State {
  fileprivate mutating func add(_ piece: OutputPiece) {
    guard !isOver else { return }
    guard load.add(piece.byteCount) else {
      omittedByteCount += piece.byteCount
      return
    }
    pieces.append(piece)
  }

  /// Adds what the report has beyond the pieces that came before.
  fileprivate mutating func end(_ attempt: Int, _ report: AttemptReport) {
    addRest(of: report.standardOutput.dropFirst(outputCount), .output, attempt)
    addRest(of: report.standardError.dropFirst(errorCount), .error, attempt)
    add(.end(attempt: attempt))
    (outputCount, errorCount, self.attempt) = (0, 0, attempt + 1)
  }

  private mutating func addRest(
    of output: OutputContent,
    _ stream: PoolOutputLine.Stream,
    _ attempt: Int
  ) {
    try? output.forEachPiece { piece throws(SystemFailure) in
      add(.bytes(Array(piece), stream, attempt: attempt))
    }
  }

  /// Removes the next piece; says whether there is room again.
  fileprivate mutating func next() -> (OutputLines.Poll, hasRoom: Bool) {
    guard readCount < pieces.count else { return (isOver ? .over : .nothingYet, false) }
    let piece = pieces[readCount]
    readCount += 1
    if readCount == pieces.count { (pieces, readCount) = ([], 0) }
    return (.piece(piece), load.remove(piece.byteCount))
  }
}

/// Shared by the sequence of lines and its iterators; when the last of them is released, the reader
/// is gone.
final class OutputLineReader: Sendable {
  let lines: OutputLines

  init(_ lines: OutputLines) {
    self.lines = lines
  }

  deinit { lines.abandon() }
}

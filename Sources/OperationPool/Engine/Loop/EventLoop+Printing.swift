import PoolCore
import PoolModel
import PoolSystem

// Assigns the text that workers print to their operations, as lines.
//
// A worker that marks its text writes all text of an operation, and the mark, before it sends
// `printed` and the answer. So when that frame arrives, the text before the mark certainly belongs
// to the operation. For an operation that executes longer, text is delivered earlier: when all
// frames of the worker have been read and no mark follows the text.

extension EventLoop {
  /// How long text is held before the loop decides its owner: 10 ms.
  private static let holding = Int64.milliseconds(10)

  /// The same if the loop cannot see whether the worker has unread frames: 50 ms.
  private static let blindHolding = Int64.milliseconds(50)

  /// Handles this number of bytes, which were read into the text buffer.
  mutating func hearText(_ count: Int, of connection: WorkerConnection) {
    guard connection.printing != nil else {
      return tell(.fleet(.wrote(connection.id, Array(textBuffer[..<count]))))
    }
    deliverStray(of: connection)
    guard connection.unmarkedCount > 0 else { return }
    if connection.printing?.continues(connection.executing) == true {
      return give(connection.printing?.stream.takeUnmarked(), to: connection.executing, connection)
    }
    hold(connection)
    guard connection.unmarkedCount > WorkerPrinting.heldLimit else { return }
    // A link is always read.
    if connection.capabilities.isLeased {
      return give(connection.printing?.stream.takeUnmarked(), to: connection.executing, connection)
    }
    connection.isTextPaused = true
    poller.forget(key: Key.error(connection.id))
  }

  /// Holds text until its owner is known.
  private mutating func hold(_ connection: WorkerConnection) {
    guard connection.printing?.due == nil else { return }
    let time = connection.sharesOutbox ? Self.holding : Self.blindHolding
    connection.printing?.due = engine.now.nanoseconds + time
    undecided.append(connection)
  }

  /// Decides the owner of text that was held long enough.
  mutating func decideText() {
    guard !undecided.isEmpty else { return }
    let now = engine.now.nanoseconds
    let due = undecided.filter { $0.printing?.due ?? 0 <= now }
    guard !due.isEmpty else { return }
    undecided.removeAll { connection in due.contains { $0 === connection } }
    for connection in due {
      connection.printing?.due = nil
      decideText(of: connection)
      continueReadingText(of: connection)
    }
  }

  private mutating func decideText(of connection: WorkerConnection) {
    guard !connection.hasUnreadFrames else { return hold(connection) }
    let markCount = connection.printing?.stream.markCount
    // Only with a shared outbox. Without one, frames may be unread, and text that is read only now
    // might belong to an operation that the loop has not heard of.
    if connection.sharesOutbox { _ = readError(of: connection) }
    deliverStray(of: connection)
    guard connection.unmarkedCount > 0 else { return }
    // After a new mark, the text may belong to an operation that is not known yet.
    guard connection.printing?.stream.markCount == markCount else { return hold(connection) }
    connection.printing?.noteDecision(for: connection.executing)
    give(connection.printing?.stream.takeUnmarked(), to: connection.executing, connection)
  }

  /// Reads text again, after reading was paused because too much was held.
  private mutating func continueReadingText(of connection: WorkerConnection) {
    guard connection.isTextPaused, connection.unmarkedCount <= WorkerPrinting.heldLimit else {
      return
    }
    connection.isTextPaused = false
    guard connection.isErrorOpen, !unread.contains(connection.id) else { return }
    poller.watch(connection.channel.error, for: .readable, key: Key.error(connection.id))
  }

  /// A frame says that the text before a mark belongs to an operation.
  mutating func receivePrinted(_ reference: DispatchReference, from connection: WorkerConnection) {
    guard connection.printing != nil else { return }
    noteRemark(of: connection)
    readText(of: connection) { $0?.stream.hasMark(of: reference.dispatch) ?? true }
    deliverStray(of: connection)
    give(
      connection.printing?.stream.takeMarked(upTo: reference.dispatch),
      to: reference,
      connection
    )
    // The text that follows belongs to the next operation, which may execute for long.
    if connection.unmarkedCount > 0 { hold(connection) }
    continueReadingText(of: connection)
  }

  /// An operation was answered: ends its last line; returns the start of its text.
  mutating func endPrinting(
    of reference: DispatchReference,
    by connection: WorkerConnection
  ) -> AttemptReport.Printed? {
    if connection.capabilities.writesInTurn { readText(of: connection) { _ in false } }
    if connection.printing?.stream.hasMarks == false {
      give(connection.printing?.stream.takeUnmarked(), to: reference, connection)
    }
    connection.mayHavePrinted = connection.capabilities.writesInTurn
    guard connection.printing?.hasText(of: reference) == true else { return nil }
    deliver(connection.printing?.endLine(), connection)
    return connection.takePrinted(of: reference)
  }

  /// The worker is gone, and all of its text was read.
  mutating func endPrinting(by connection: WorkerConnection) {
    guard connection.printing != nil else { return }
    undecided.removeAll { $0 === connection }
    connection.endText()
    give(connection.printing?.stream.takeUnmarked(), to: connection.executing, connection)
    deliver(connection.printing?.endLine(), connection)
  }

  /// The start of the text of the operation that a worker executed when it ended.
  func lastPrinted(by worker: WorkerID) -> AttemptReport.Printed? {
    guard let connection = peer(worker) as? WorkerConnection, let reference = connection.executing
    else { return nil }
    return connection.takePrinted(of: reference)
  }

  /// Reads a worker's text once; at the end of the stream, stops watching it.
  mutating func readError(of connection: WorkerConnection) -> SystemIO.Transfer {
    let transfer = connection.receiveError(with: textBuffer)
    if transfer == .endOfFile { poller.forget(key: Key.error(connection.id)) }
    if connection.takeCrash() {
      turnEvents.append(.worker(.crashing(connection.id)))
      programs[connection.configuration]?.noteBacktrace()
    }
    return transfer
  }

  /// Reads a worker's text until the closure returns true, at most as much as a pipe holds.
  private mutating func readText(
    of connection: WorkerConnection,
    until isEnough: (WorkerPrinting?) -> Bool
  ) {
    for _ in 0..<16 {
      guard !isEnough(connection.printing),
        case .bytes = readError(of: connection)
      else { return }
    }
  }

  /// Passes a line about an operation that has ended to the client, among the lines of its worker.
  func print(_ line: String, by worker: WorkerID) {
    guard let configuration = peer(worker)?.configuration else { return }
    let line = PrintedLine(bytes: Array(line.utf8), omittedCount: 0)
    let printer = programs[configuration]?.printer
    tell(.printed(nil, PrintedLines(worker: worker, printer: printer, lines: [line])))
  }

  private mutating func deliverStray(of connection: WorkerConnection) {
    give(connection.printing?.stream.takeStray(), to: nil, connection)
  }

  /// Assigns text to an operation, or to none.
  private mutating func give(
    _ text: [UInt8]?,
    to owner: DispatchReference?,
    _ connection: WorkerConnection
  ) {
    guard let text, !text.isEmpty else { return }
    connection.mayHavePrinted = true
    for delivery in connection.printing?.give(text, to: owner) ?? [] {
      deliver(delivery, connection)
    }
  }

  /// Passes lines to the client: those of an operation in order with its other reports.
  private mutating func deliver(
    _ delivery: WorkerPrinting.Delivery?,
    _ connection: WorkerConnection
  ) {
    guard let delivery, !delivery.lines.isEmpty else { return }
    let lines = PrintedLines(
      worker: connection.id,
      printer: programs[connection.configuration]?.printer,
      lines: delivery.lines
    )
    guard let owner = delivery.owner else { return tell(.printed(nil, lines)) }
    turnEvents.append(.reported(connection.id, owner, .remarked(turn.keep(.printed(lines)))))
  }
}

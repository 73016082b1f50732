import PoolCore
import PoolModel
import PoolSystem

// What workers print becomes lines of their operations.
//
// A worker that marks its text has written all that an operation printed, and the mark, before it
// sends `printed` and the answer. So text is an operation's for certain when that frame is heard. Of
// one that executes for longer, text is shown earlier: when all that the worker has said is heard, and
// no mark follows the text.

extension EventLoop {
  /// How long text is held before the loop looks whose it is: 10 ms.
  private static let holding = Int64.milliseconds(10)

  /// The same where the loop cannot see whether the worker has more to say: 50 ms.
  private static let blindHolding = Int64.milliseconds(50)

  /// So many bytes were read into the buffer for text.
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
    connection.isTextPaused = true
    poller.forget(key: Key.error(connection.id))
  }

  /// Holds text until it is known whose it is.
  private mutating func hold(_ connection: WorkerConnection) {
    guard connection.printing?.due == nil else { return }
    let time = connection.sharesOutbox ? Self.holding : Self.blindHolding
    connection.printing?.due = engine.now.nanoseconds + time
    undecided.append(connection)
  }

  /// Looks whose text is that was held for long enough.
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
    guard !connection.hasUnheard else { return hold(connection) }
    let markCount = connection.printing?.stream.markCount
    // Where the loop cannot see what is unheard, text that comes only now may be that of an operation
    // which it does not know to execute.
    if connection.sharesOutbox { _ = readError(of: connection) }
    deliverStray(of: connection)
    guard connection.unmarkedCount > 0 else { return }
    // Behind a mark, the text is that of an operation which may not be known yet.
    guard connection.printing?.stream.markCount == markCount else { return hold(connection) }
    connection.printing?.noteDecision(for: connection.executing)
    give(connection.printing?.stream.takeUnmarked(), to: connection.executing, connection)
  }

  /// Reads text again that was not read because too much was held.
  private mutating func continueReadingText(of connection: WorkerConnection) {
    guard connection.isTextPaused, connection.unmarkedCount <= WorkerPrinting.heldLimit else {
      return
    }
    connection.isTextPaused = false
    guard connection.isErrorOpen, !unread.contains(connection.id) else { return }
    poller.watch(connection.process.error, for: .readable, key: Key.error(connection.id))
  }

  /// A frame says that an operation has printed all that is before its mark.
  mutating func hearPrinted(_ reference: DispatchReference, from connection: WorkerConnection) {
    guard connection.printing != nil else { return }
    noteRemark(of: connection)
    readText(of: connection) { $0?.stream.hasMark(of: reference.dispatch) ?? true }
    deliverStray(of: connection)
    give(
      connection.printing?.stream.takeMarked(upTo: reference.dispatch),
      to: reference,
      connection
    )
    // What follows is the next operation's, which may execute for long.
    if connection.unmarkedCount > 0 { hold(connection) }
    continueReadingText(of: connection)
  }

  /// An operation is answered: its last line ends; returns what it has printed.
  mutating func endPrinting(
    of reference: DispatchReference,
    by connection: WorkerConnection
  ) -> AttemptReport.Printed? {
    if connection.features.writesInTurn { readText(of: connection) { _ in false } }
    if connection.printing?.stream.hasMarks == false {
      give(connection.printing?.stream.takeUnmarked(), to: reference, connection)
    }
    connection.mayHavePrinted = connection.features.writesInTurn
    guard connection.printing?.hasText(of: reference) == true else { return nil }
    deliver(connection.printing?.endLine(), connection)
    return connection.takePrinted(of: reference)
  }

  /// The worker is gone, and all that it wrote was read.
  mutating func endPrinting(by connection: WorkerConnection) {
    guard connection.printing != nil else { return }
    undecided.removeAll { $0 === connection }
    connection.endText()
    give(connection.printing?.stream.takeUnmarked(), to: connection.executing, connection)
    deliver(connection.printing?.endLine(), connection)
  }

  /// What the operation has printed that a worker executed when it ended.
  func lastPrinted(by worker: WorkerID) -> AttemptReport.Printed? {
    guard let connection = peer(worker) as? WorkerConnection, let reference = connection.executing
    else { return nil }
    return connection.takePrinted(of: reference)
  }

  /// Reads once what a worker has printed; at the end, it is watched no more.
  mutating func readError(of connection: WorkerConnection) -> SystemIO.Transfer {
    let transfer = connection.receiveError(with: textBuffer)
    if transfer == .endOfFile { poller.forget(key: Key.error(connection.id)) }
    return transfer
  }

  /// Reads what there is of a worker's text, as much as a pipe holds, until the closure is content.
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

  private mutating func deliverStray(of connection: WorkerConnection) {
    give(connection.printing?.stream.takeStray(), to: nil, connection)
  }

  /// Text is an operation's, or none's.
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

  /// Tells the client lines: those of an operation in the order of what else it reports.
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
    heard.append(.reported(connection.id, owner, .remarked(keep(.printed(lines)))))
  }
}

import PoolModel
package import PoolSystem

/// The one thread that writes to the standard output and error streams.
///
/// A stream may be read slowly, or not at all for a while, and the coordinator must not block on
/// it. So outputs are handed over, and the caller is asked to pause when too many wait. On a
/// terminal the same thread draws the progress line, so that nothing is printed across it.
package final class Printer: Sendable {
  /// The streams and callbacks of a printer.
  package struct Options: Sendable {
    package var keepsOrder = false
    /// The longest line that a live output waits for, in bytes.
    package var lineLimit = LiveLines.lineLimit
    /// The descriptors of the standard output and error streams; tests use others.
    package var output: Int32 = 1
    package var error: Int32 = 2
    /// The progress line, on the terminal behind the error stream.
    package var progress: ProgressLine?
    /// Called when the caller should pause, and when it may continue; the closure returns which.
    ///
    /// Two threads call it, so the state may have changed by the time that it is called.
    package var suspend: @Sendable (_ isHolding: () -> Bool) -> Void = { _ in }
    /// Called on the printer's thread with the numbers of operations whose outputs were printed, in
    /// the order of printing.
    ///
    /// The streams have taken all bytes of these outputs, and no pipe holds them any more, unless
    /// the printer was closed and the pipe's reader lives. Outputs in a buffer, and those of a
    /// failed write, are not among them. It is not called after ``Printer/abandon()``.
    package var printed: (@Sendable (_ numbers: [Int]) -> Void)?
    /// The same for lines whose receipts were handed over.
    package var wroteLines: (@Sendable (LineReceipt) -> Void)?
    /// Called once, when an output was dropped because its terminal hung up.
    package var hungUp: @Sendable () -> Void = {}
    /// Called when outputs for the error stream could not be written.
    package var lost: @Sendable () -> Void = {}
    /// Called once, when the output stream cannot be written, or the reader of a pipe has gone.
    package var failed: @Sendable (PrinterFailure) -> Void = { _ in }
    /// Called when a closed printer has written all that it could.
    package var ended: @Sendable () -> Void = {}
    /// Whether texts of others are changed where GitHub's runner would take them for commands.
    package var breaksCommands = false
    /// The name of the output stream for people.
    package var outputName = "standard output"

    package init() {}
  }

  package enum Item: Sendable {
    /// All outputs of an operation that has ended; those of its pieces are not printed again.
    case outputs(number: Int, OutputPair, tag: [UInt8]? = nil)
    /// The same for the standard error stream, in a group of lines with this title.
    case group(number: Int, OutputPair, tag: [UInt8]?, title: String)
    /// A piece of the output of an operation that executes.
    case piece(LivePiece)
    /// All outputs of an attempt whose pieces were printed as they came; another attempt follows.
    case attempt(number: Int, OutputPair, tag: [UInt8]?)
    /// For the standard error stream.
    case message([UInt8])
    /// Commands for the reader of the standard error stream, which stay as they are.
    case commands([UInt8])
    /// Whole lines of results for the standard output stream.
    case lines(LineBatch)
    /// Whole lines of results for the standard error stream.
    case errorLines(LineBatch)
    /// What the lines before it were.
    case receipt(LineReceipt)
  }

  private struct Work {
    var queue = PrintQueue()
    var isClosed = false
    /// Number of operations that handed over an output that is not empty.
    var outputCount = 0
  }

  /// Which outputs were printed.
  private struct Account {
    var outputCount = 0
    var isAbandoned = false
  }

  /// Number of items that are taken from the queue at once.
  private static let takenCount = 16
  /// Period of checking pipes: five times a second.
  private static let period = Int64.milliseconds(200)

  private let work = Monitor(Work())
  private let account = Monitor(Account())
  package let options: Options

  package init(_ options: Options) throws(SystemFailure) {
    self.options = options
    let (work, account) = (work, account)
    // A full mask: a write to a closed stream returns an error here, and does not end the process.
    try SystemThread.start(name: "opool-printer", mask: .full) {
      var writing = OutputWriter(options) { outputCount in
        account.withLock { account in
          if !account.isAbandoned { account.outputCount += outputCount }
        }
      }
      if options.wroteLines != nil || options.printed != nil {
        let printed = options.printed ?? { _ in }
        writing.read = { numbers in
          account.withLock { account in
            if !account.isAbandoned { printed(numbers) }
          }
        }
        writing.readLines = { receipts in
          account.withLock { account in
            if !account.isAbandoned { for receipt in receipts { options.wroteLines?(receipt) } }
          }
        }
      }
      Self.serve(work, options, &writing)
      options.ended()
    }.detach()
  }

  /// Returns a line that another thread writes to the error stream, at the start of a line there.
  package func begun(_ line: String) -> String {
    guard let progress = options.progress, progress.openLine.isOpen else { return line }
    [UInt8(ascii: "\n")].withUnsafeBytes { progress.wrote($0, isMessage: true) }
    return "\n" + line
  }

  /// Whether callers should pause.
  var isHolding: Bool { work.withLock { $0.queue.isHolding } }

  /// Number of operations with an output that was not printed, as far as known.
  package var unprintedCount: Int {
    work.withLock { $0.outputCount } - account.withLock { $0.outputCount }
  }

  /// Whether more waits than paused callers can have added.
  var isOverfull: Bool { work.withLock { $0.queue.isOverfull } }

  /// Hands over the outputs of an operation; if order is kept, each number comes once.
  package func print(_ number: Int, _ pair: OutputPair, tag: [UInt8]? = nil) {
    add { work in
      if !pair.isEmpty { work.outputCount += 1 }
      return work.queue.append(.outputs(number: number, pair, tag: tag))
    }
  }

  /// Hands over the outputs of an operation, in a group of lines with a title.
  package func print(
    _ number: Int,
    _ pair: OutputPair,
    tag: [UInt8]?,
    inGroup title: String
  ) {
    add { work in
      if !pair.isEmpty { work.outputCount += 1 }
      return work.queue.append(.group(number: number, pair, tag: tag, title: title))
    }
  }

  /// Hands over a piece of the output of an operation that executes.
  package func print(_ piece: LivePiece) {
    add { $0.queue.append(piece) }
  }

  /// Hands over the outputs of an attempt of an operation that another one follows.
  ///
  /// They are printed, like the pieces of them before; if order is kept, only if it is the turn of
  /// the operation.
  package func printAttempt(_ number: Int, _ pair: OutputPair, tag: [UInt8]?) {
    add { $0.queue.append(.attempt(number: number, pair, tag: tag)) }
  }

  /// Hands over bytes for the standard error stream.
  package func say(_ bytes: [UInt8]) {
    add { $0.queue.append(message: bytes) }
  }

  /// Hands over commands for the reader of the standard error stream: whole lines.
  package func command(_ lines: [UInt8]) {
    add { $0.queue.append(.commands(lines)) }
  }

  /// Hands over whole lines for the standard output stream; they never interrupt an output.
  package func write(lines: LineBatch) {
    add { $0.queue.append(.lines(lines)) }
  }

  /// Hands over whole lines of results for the standard error stream.
  package func write(errorLines lines: LineBatch) {
    add { $0.queue.append(.errorLines(lines)) }
  }

  /// Has the caller told when all lines before were written, and no pipe holds them.
  package func note(_ receipt: LineReceipt) {
    add { $0.queue.append(.receipt(receipt)) }
  }

  private func add(_ body: (inout Work) -> Bool) {
    let holds = work.withLock { body(&$0) }
    work.signal()
    if holds { options.suspend { isHolding } }
  }

  /// Ends the input; the thread ends when everything is written.
  package func close() {
    work.withLock { $0.isClosed = true }
    work.signal()
  }

  /// Outputs printed from now on do not count as printed; returns the number of unprinted outputs.
  package func abandon() -> Int {
    account.withLock { $0.isAbandoned = true }
    return unprintedCount
  }

  private static func serve(
    _ work: Monitor<Work>,
    _ options: Options,
    _ writing: inout OutputWriter
  ) {
    while true {
      let isIdle: (borrowing Work) -> Bool = { $0.queue.isEmpty && !$0.isClosed }
      let unreadAt = writing.hasUnread ? MonotonicClock.now + period : nil
      if let next = [options.progress?.dueAt, unreadAt].compactMap({ $0 }).min() {
        _ = work.wait(until: next, while: isIdle)
      } else {
        work.wait(while: isIdle, then: { _ in })
      }
      let (items, hasRoom, isClosed) = work.withLock { work in
        let (items, hasRoom) = work.queue.take(takenCount)
        return (items, hasRoom, work.isClosed)
      }
      if hasRoom { options.suspend { work.withLock { $0.queue.isHolding } } }
      writing.write(items)
      if isClosed, items.isEmpty { return writing.end() }
      writing.noteRead()
      writing.showProgress()
    }
  }
}

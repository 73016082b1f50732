import OperationPool
import PoolSystem

/// The one thread that writes to the standard output and error streams.
///
/// Streams may be read slowly, or not at all for a while, and the coordinator must not wait for
/// that: so outputs are handed over, and when too many are under way the caller is told to hold
/// back. On a terminal the same thread keeps the progress line, so that nothing is ever printed
/// across it.
final class Printer: Sendable {
  /// What the printer is used with.
  struct Options: Sendable {
    var keepsOrder = false
    /// The descriptors of the standard output and error streams; tests put others there.
    var output: Int32 = 1
    var error: Int32 = 2
    /// The progress line, on the terminal behind the error stream.
    var progress: ProgressLine?
    /// Called when the caller should hold back, and when no longer; the closure tells which.
    ///
    /// Two threads call it, so what was true when it was called may be outdated when it arrives.
    var suspend: @Sendable (_ isHolding: () -> Bool) -> Void = { _ in }
    /// Called on the printer's thread with the numbers of operations whose outputs were printed, in
    /// the order of printing.
    ///
    /// The streams have taken all of their bytes by then, and no pipe has them any more, unless the
    /// printer was closed and the pipe's reader lives. Outputs that wait in a buffer, and those
    /// that a failed write was to print, are not among them. Never called any more once the printer
    /// was abandoned, see ``Printer/abandon()``.
    var printed: (@Sendable (_ numbers: [Int]) -> Void)?
    /// Called once, when an output was dropped because its terminal has hung up.
    var hungUp: @Sendable () -> Void = {}
    /// Called when outputs for the error stream could not be written there.
    var lost: @Sendable () -> Void = {}
    /// Called once, when the output stream cannot be written, or a pipe's reader has gone.
    var failed: @Sendable (PrinterFailure) -> Void = { _ in }
    /// Called when the printer was closed, and has written all that it could.
    var ended: @Sendable () -> Void = {}
    /// The name of the output stream for people.
    var outputName = "standard output"
  }

  enum Item: Sendable {
    case outputs(number: Int, OutputPair)
    /// For the standard error stream.
    case message([UInt8])
    /// Whole lines of results for the standard output stream.
    case lines([UInt8])
    /// Whole lines of results for the standard error stream.
    case errorLines([UInt8])
  }

  private struct Work {
    var queue = PrintQueue()
    var isClosed = false
    /// How many operations have handed over an output that is not empty.
    var outputCount = 0
  }

  /// What was printed.
  private struct Account {
    var outputCount = 0
    var isAbandoned = false
  }

  /// How many items are taken out of the queue at once.
  private static let takenCount = 16
  /// How often the progress line is renewed, and pipes are looked at: five times a second.
  private static let period = Int64.milliseconds(200)

  private let work = Monitor(Work())
  private let account = Monitor(Account())
  let options: Options

  init(_ options: Options) throws(SystemFailure) {
    self.options = options
    let (work, account) = (work, account)
    // A full mask: a closed stream is an error here, and not the end of the process.
    try SystemThread.start(name: "opool-printer", mask: .full) {
      var writing = PrinterWriting(options) { outputCount in
        account.withLock { account in
          if !account.isAbandoned { account.outputCount += outputCount }
        }
      }
      if let printed = options.printed {
        writing.read = { numbers in
          account.withLock { account in
            if !account.isAbandoned { printed(numbers) }
          }
        }
      }
      Self.serve(work, options, &writing)
      options.ended()
    }.detach()
  }

  /// Whether whoever adds to the queue should hold back.
  var isHolding: Bool { work.withLock { $0.queue.isHolding } }

  /// How many operations have handed over an output that was not printed, as far as is known.
  var unprintedCount: Int {
    work.withLock { $0.outputCount } - account.withLock { $0.outputCount }
  }

  /// Hands over what an operation wrote; each number comes once, where order is kept.
  func print(_ number: Int, _ pair: OutputPair) {
    add { work in
      if !pair.isEmpty { work.outputCount += 1 }
      return work.queue.append(.outputs(number: number, pair))
    }
  }

  /// Hands over something for the standard error stream.
  func say(_ bytes: [UInt8]) {
    add { $0.queue.append(message: bytes) }
  }

  /// Hands over whole lines for the standard output stream, which no output is in the middle of.
  func write(lines: [UInt8]) {
    add { $0.queue.append(.lines(lines)) }
  }

  /// Hands over whole lines of results for the standard error stream.
  func write(errorLines lines: [UInt8]) {
    add { $0.queue.append(.errorLines(lines)) }
  }

  private func add(_ body: (inout Work) -> Bool) {
    let holds = work.withLock { body(&$0) }
    work.signal()
    if holds { options.suspend { isHolding } }
  }

  /// Nothing more is handed over; the thread ends when all is written.
  func close() {
    work.withLock { $0.isClosed = true }
    work.signal()
  }

  /// Nothing that is printed from now on counts as printed; returns how many outputs do not.
  func abandon() -> Int {
    account.withLock { $0.isAbandoned = true }
    return unprintedCount
  }

  private static func serve(
    _ work: Monitor<Work>,
    _ options: Options,
    _ writing: inout PrinterWriting
  ) {
    while true {
      let isIdle: (borrowing Work) -> Bool = { $0.queue.isEmpty && !$0.isClosed }
      if options.progress?.isWanted == true || writing.hasUnread {
        _ = work.wait(until: MonotonicClock.now + period, while: isIdle)
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

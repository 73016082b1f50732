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
    /// The progress line for a width, where there is one to show.
    var progress: (@Sendable (_ width: Int) -> String)?
    /// Called when the caller should hold back, and when no longer; the closure tells which.
    ///
    /// Two threads call it, so what was true when it was called may be outdated when it arrives.
    var holdBack: @Sendable (_ isHolding: () -> Bool) -> Void = { _ in }
    /// Called on the printer's thread with the numbers of operations whose outputs were wholly written
    /// to their streams, in the order of printing.
    ///
    /// The streams have taken all of their bytes by then: outputs that wait in a buffer, and those that
    /// a failed write was to print, are not among them.
    var printed: @Sendable (_ numbers: [Int]) -> Void = { _ in }
    /// Called once, when a stream cannot be written.
    var failed: @Sendable (PrinterFailure) -> Void = { _ in }
  }

  enum Item: Sendable {
    case outputs(number: Int, OutputPair)
    case message([UInt8])
  }

  private struct Work {
    var items: [Item] = []
    var isClosed = false
    var isHolding = false
  }

  /// How many items may be under way before the caller holds back; each can be an open file.
  private static let highWater = 128
  private static let lowWater = 16
  /// How often the progress line is renewed: five times a second.
  private static let period = Int64.milliseconds(200)

  private let work = Monitor(Work())
  private let options: Options
  private let thread: SystemThread

  init(_ options: Options) throws(SystemFailure) {
    self.options = options
    let work = work
    // A full mask: a closed stream is an error here, and not the end of the process.
    thread = try SystemThread.start(name: "opool-printer", mask: .full) {
      var writing = PrinterWriting(options)
      Self.serve(work, options, &writing)
    }
  }

  /// Hands over what an operation wrote; each number comes once, where order is kept.
  func print(_ number: Int, _ pair: OutputPair) {
    let holds = work.withLock { work in
      work.items.append(.outputs(number: number, pair))
      guard work.items.count >= Self.highWater, !work.isHolding else { return false }
      work.isHolding = true
      return true
    }
    work.signal()
    if holds { options.holdBack { work.withLock { $0.isHolding } } }
  }

  /// Hands over something for the standard error stream.
  func say(_ bytes: [UInt8]) {
    work.withLock { $0.items.append(.message(bytes)) }
    work.signal()
  }

  /// Waits until all is written.
  func close() {
    work.withLock { $0.isClosed = true }
    work.signal()
    thread.join()
  }

  private static func serve(
    _ work: Monitor<Work>,
    _ options: Options,
    _ writing: inout PrinterWriting
  ) {
    while true {
      let isIdle: (Work) -> Bool = { $0.items.isEmpty && !$0.isClosed }
      if options.progress != nil {
        _ = work.wait(until: MonotonicClock.now + period, while: isIdle)
      } else {
        work.wait(while: isIdle, then: { _ in })
      }
      let (items, isClosed) = take(work, options)
      writing.write(items)
      if isClosed, items.isEmpty { return writing.end() }
      writing.showProgress()
    }
  }

  private static func take(_ work: Monitor<Work>, _ options: Options) -> ([Item], Bool) {
    let (items, isClosed, releases) = work.withLock { work in
      let items = Array(work.items.prefix(lowWater))
      work.items.removeFirst(items.count)
      let releases = work.isHolding && work.items.count <= lowWater
      if releases { work.isHolding = false }
      return (items, work.isClosed, releases)
    }
    if releases { options.holdBack { work.withLock { $0.isHolding } } }
    return (items, isClosed)
  }
}

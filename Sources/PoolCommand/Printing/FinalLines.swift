import PoolModel
import PoolSystem

/// Writes the last lines of a run, when its printer has ended or blocks in a stream without a
/// reader.
///
/// It uses its own thread: the standard error may block, too.
enum FinalLines {
  /// Nanoseconds for the reader of the standard error when the run must end: 250 ms.
  private static let grace = Int64.milliseconds(250)

  /// What happened to the lines.
  enum Delivery: Hashable, Sendable {
    case written
    /// The standard error cannot be written.
    case failed
    /// The standard error has no reader.
    case unread
  }

  /// Writes lines to the standard error, and waits for that.
  static func say(_ lines: [String], _ readers: StreamReaderWait) -> Delivery {
    guard !lines.isEmpty else { return .written }
    let hasFailed = Monitor(false)
    readers.note(startOf: .words)
    write(text(lines)) { isWritten in
      hasFailed.withLock { $0 = !isWritten }
      readers.note(endOf: .words)
    }
    guard readers.wait(for: .words, since: MonotonicClock.now, grace: grace) else { return .unread }
    return hasFailed.withLock { $0 } ? .failed : .written
  }

  /// Writes a line to the standard error as soon as that is possible.
  static func say(_ line: String) {
    write(text([line])) { _ in }
  }

  private static func text(_ lines: [String]) -> [UInt8] {
    Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  private static func write(_ bytes: [UInt8], _ ended: @escaping @Sendable (Bool) -> Void) {
    let body: @Sendable () -> Void = {
      let isWritten: Void? = try? SystemIO.writeAll(2, bytes)
      ended(isWritten != nil)
    }
    do throws(SystemFailure) {
      try SystemThread.start(name: "opool-lines", mask: .full, body).detach()
    } catch {
      body()
    }
  }
}

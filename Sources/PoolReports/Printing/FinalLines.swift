import PoolModel
package import PoolSystem

/// Writes the last lines of a run, when its printer has ended or blocks in a stream without a
/// reader.
///
/// It uses its own thread: the standard error may block, too.
package enum FinalLines {
  /// Nanoseconds for the reader of the standard error when the run must end: 250 ms.
  private static let grace = Int64.milliseconds(250)

  /// What happened to the lines.
  package enum Delivery: Hashable, Sendable {
    case written
    /// The standard error cannot be written, for this reason.
    case failed(SystemFailure)
    /// The standard error has no reader.
    case unread
  }

  /// Writes lines to the standard error, and waits for that.
  package static func say(_ lines: [String], _ readers: StreamReaderWait) -> Delivery {
    guard !lines.isEmpty else { return .written }
    let known = Monitor<SystemFailure?>(nil)
    readers.note(startOf: .words)
    write(text(lines)) { failure in
      known.withLock { $0 = failure }
      readers.note(endOf: .words)
    }
    guard readers.wait(for: .words, since: MonotonicClock.now, grace: grace) else { return .unread }
    return known.withLock { $0 }.map { .failed($0) } ?? .written
  }

  /// Writes a line to the standard error as soon as that is possible.
  package static func say(_ line: String) {
    write(text([line])) { _ in }
  }

  private static func text(_ lines: [String]) -> [UInt8] {
    Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  private static func write(_ bytes: [UInt8], _ ended: @escaping @Sendable (SystemFailure?) -> Void)
  {
    let body: @Sendable () -> Void = {
      do throws(SystemFailure) {
        try SystemIO.writeAll(2, bytes)
        try Descriptors.confirmWrites(to: 2)
        ended(nil)
      } catch {
        ended(error)
      }
    }
    do throws(SystemFailure) {
      try SystemThread.start(name: "opool-lines", mask: .full, body).detach()
    } catch {
      body()
    }
  }
}

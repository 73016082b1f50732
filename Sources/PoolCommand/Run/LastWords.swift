import PoolModel
import PoolSystem

/// What a run says when its printer has ended, or is stuck in a stream that nobody reads.
///
/// It is written by a thread of its own: the standard error may not be read, either.
enum LastWords {
  /// How long the standard error's reader has for them when the run is to end: 250 ms.
  private static let grace = Int64.milliseconds(250)

  /// Writes lines to the standard error, and waits for that; returns whether they were written.
  static func say(_ lines: [String], _ readers: ReaderWait) -> Bool {
    guard !lines.isEmpty else { return true }
    readers.note(startOf: .words)
    write(text(lines)) { readers.note(endOf: .words) }
    return readers.wait(for: .words, since: MonotonicClock.now, grace: grace)
  }

  /// Writes a line to the standard error, whenever that is possible.
  static func say(_ line: String) {
    write(text([line])) {}
  }

  private static func text(_ lines: [String]) -> [UInt8] {
    Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  private static func write(_ bytes: [UInt8], _ ended: @escaping @Sendable () -> Void) {
    let body: @Sendable () -> Void = {
      // Nothing is left that could be told of a failure.
      try? SystemIO.writeAll(2, bytes)
      ended()
    }
    do throws(SystemFailure) {
      try SystemThread.start(name: "opool-words", mask: .full, body).detach()
    } catch {
      body()
    }
  }
}

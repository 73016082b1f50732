package import PoolModel

/// When records that no option asks for are written to a file.
///
/// They wait in memory until the run has taken so long that someone may want to look at it. So a
/// short run touches no file.
package struct KeptRunPolicy: Hashable, Sendable {
  package enum Step: Hashable, Sendable {
    /// They stay in memory.
    case wait
    /// They are appended to the file, which is made first.
    case write
    /// The run is not kept: its records are more than all runs may have.
    case giveUp
  }

  /// Runs that are shorter are not kept: 10 s.
  package static let shortest = Int64.seconds(10)
  /// Records are written at least so often, while any come: 1 s.
  static let interval = Int64.seconds(1)
  /// This many bytes are written at once: 256 KiB.
  static let block = 256 << 10
  /// The most bytes of records that wait for the first 10 seconds to pass: 16 MiB.
  static let waitingLimit = 16 << 20

  private var written: Int64 = 0
  private var lastWrite = Instant.zero

  package init() {}

  /// What happens to so many bytes of records at that time.
  package mutating func step(_ byteCount: Int, at now: Instant) -> Step {
    if written.saturatingSum(Int64(byteCount)) > KeptRunList.byteLimit { return .giveUp }
    guard isDue(byteCount, at: now) else { return .wait }
    written += Int64(byteCount)
    lastWrite = now
    return .write
  }

  private func isDue(_ byteCount: Int, at now: Instant) -> Bool {
    guard now.nanoseconds >= Self.shortest else { return byteCount >= Self.waitingLimit }
    return byteCount >= Self.block || lastWrite.advanced(by: Self.interval) <= now
  }
}

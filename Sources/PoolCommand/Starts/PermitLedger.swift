import OperationPool
import PoolModel

/// Counts the permits to start that were given, and those that were used.
///
/// A dispatch uses up a permit under the engine's lock, and is reported a moment later. Until then
/// no further permit is given, because the policy does not know the latest start yet.
struct PermitLedger: Hashable {
  /// Permits given, less those that were taken back.
  private var given = 0
  /// Number of reported dispatches.
  private var reportedCount = 0
  /// Since when a dispatch has not been reported.
  private var waitsSince: Instant?

  /// Nanoseconds after which an unreported dispatch is counted: its worker was gone.
  private static let patience = Int64.milliseconds(100)

  /// An operation was given to a worker.
  mutating func noteDispatch() { reportedCount += 1 }

  /// The number of permits now: one if an operation may start, otherwise none.
  mutating func permits(_ starts: PoolEngine.Starts, _ mayStart: Bool, at now: Instant) -> Int {
    guard isReported(starts, at: now) else { return starts.permits }
    let permits = mayStart ? 1 : 0
    given += permits - starts.permits
    return permits
  }

  private mutating func isReported(_ starts: PoolEngine.Starts, at now: Instant) -> Bool {
    let used = given - starts.permits
    guard used > reportedCount else {
      reportedCount = used
      waitsSince = nil
      return true
    }
    let since = waitsSince ?? now
    waitsSince = since
    guard now >= since.advanced(by: Self.patience) else { return false }
    reportedCount = used
    waitsSince = nil
    return true
  }
}

import PoolEvents
import Synchronization

/// Counts the ends of operations of this run, for `--halt`.
final class HaltWatch: RunReader, Sendable {
  let policy: HaltPolicy
  private let tally = Mutex(HaltPolicy.Tally())

  /// Nil where the run is not to end early.
  init?(_ policy: HaltPolicy?) {
    guard let policy else { return nil }
    self.policy = policy
  }

  var kinds: RunRecord.Kinds { .settled }

  func take(_ record: RunRecord) {
    guard case .settled(let end) = record, end.memberCount == nil, !end.isResumed else { return }
    tally.withLock { $0.count(end.ending) }
  }

  /// The counts, if they end the run; `total` is the number of operations, nil while more may come.
  func reached(of total: Int?) -> HaltPolicy.Tally? {
    let tally = tally.withLock { $0 }
    return policy.isReached(by: tally, total: total) ? tally : nil
  }
}

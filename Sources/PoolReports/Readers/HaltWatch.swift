package import PoolEvents
import Synchronization

/// Counts the ends of operations of this run, for `--halt`.
package final class HaltWatch: RunReader, Sendable {
  package let policy: HaltPolicy
  private let state = Mutex((tally: HaltPolicy.Tally(), isReached: false))

  /// Nil where the run is not to end early.
  package init?(_ policy: HaltPolicy?) {
    guard let policy else { return nil }
    self.policy = policy
  }

  package var kinds: RunRecord.Kinds { .settled }

  package func take(_ record: RunRecord) {
    guard case .settled(let end, _) = record, end.memberCount == nil, !end.isResumed else { return }
    state.withLock { $0.tally.count(end.ending) }
  }

  /// The counts, once, if they end the run; `total` is the number of operations, nil while more may
  /// come.
  package func reached(of total: Int?) -> HaltPolicy.Tally? {
    state.withLock { state in
      guard !state.isReached, policy.isReached(by: state.tally, total: total) else { return nil }
      state.isReached = true
      return state.tally
    }
  }
}

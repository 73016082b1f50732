import PoolEvents
import Synchronization

/// Counts the ends of operations of this run, for `--halt`.
final class HaltWatch: RunReader, Sendable {
  let policy: HaltPolicy
  private let state = Mutex((tally: HaltPolicy.Tally(), isReached: false))

  /// Nil where the run is not to end early.
  init?(_ policy: HaltPolicy?) {
    guard let policy else { return nil }
    self.policy = policy
  }

  var kinds: RunRecord.Kinds { .settled }

  func take(_ record: RunRecord) {
    guard case .settled(let end, _) = record, end.memberCount == nil, !end.isResumed else { return }
    state.withLock { $0.tally.count(end.ending) }
  }

  /// The counts, once, if they end the run; `total` is the number of operations, nil while more may come.
  func reached(of total: Int?) -> HaltPolicy.Tally? {
    state.withLock { state in
      guard !state.isReached, policy.isReached(by: state.tally, total: total) else { return nil }
      state.isReached = true
      return state.tally
    }
  }
}

package import PoolAnalysis
package import PoolEvents
package import PoolModel
import Synchronization

/// Keeps what happens in a run, for a report at its end.
package final class HistoryReader: RunReader, Sendable {
  private let state = Mutex(RunHistory())
  private let now: @Sendable () -> Instant

  package init(now: @escaping @Sendable () -> Instant) {
    self.now = now
  }

  package var kinds: RunRecord.Kinds { .all }

  package func take(_ record: RunRecord) {
    let now = now()
    state.withLock { $0.take(record, at: now) }
  }

  /// What has happened so far.
  package var history: RunHistory { state.withLock { $0 } }
}

package import PoolJournal
import PoolModel
package import PoolSystem

/// Makes the disk have what targets got before the journal says that they have it.
///
/// A thread of its own does that once a second, since a sync may take long and must not delay those
/// of the journal.
package final class TargetSync: Sendable {
  typealias Sync = @Sendable () throws(SystemFailure) -> Void

  private struct News {
    var operations: [Int] = []
    var extent: TargetExtent?
  }

  private struct State {
    var news: [UInt8: News] = [:]
    /// Why the sync of a target has failed, by its role: it is unknown what the disk has.
    var failures: [UInt8: SystemFailure] = [:]
    /// Called after the last sync; nil as long as there may be others.
    var ended: (@Sendable () -> Void)?
    var isRecording = false
    var isAbandoned = false

    /// Whether something may still be recorded.
    mutating func beginRecording() -> Bool {
      isRecording = !isAbandoned
      return isRecording
    }
  }

  private static let period = Int64.seconds(1)

  private let syncs: [UInt8: Sync]
  private let state: Monitor<State>

  /// Starts the thread; `record` is called for what the disk has.
  init(
    _ syncs: [UInt8: Sync],
    record: @escaping @Sendable ([Int], TargetRoles, TargetExtent?) -> Void
  ) throws(SystemFailure) {
    let state = Monitor(State())
    (self.syncs, self.state) = (syncs, state)
    let thread = try SystemThread.start(name: "opool-targets", mask: .full) {
      while !state.wait(until: MonotonicClock.now + Self.period, while: { $0.ended == nil }) {
        Self.sync(state, syncs, record)
      }
      Self.sync(state, syncs, record)
      state.withLock(\.ended)?()
    }
    // It may be within a sync when the process ends.
    thread.detach()
  }

  /// Whether a role has a target that must be synced.
  func delays(_ role: TargetRoles) -> Bool { syncs[role.rawValue] != nil }

  /// A target has the values of these operations, and a length.
  package func note(_ operations: [Int], by role: TargetRoles, _ extent: TargetExtent?) {
    state.withLock { state in
      state.news[role.rawValue, default: News()].operations += operations
      if let extent { state.news[role.rawValue]?.extent = extent }
    }
  }

  /// Lets the thread sync and record the rest, then call the closure and end.
  package func finish(_ ended: @escaping @Sendable () -> Void) {
    state.withLock { $0.ended = ended }
    state.broadcast()
  }

  /// Lets nothing be recorded any more, even if a sync is still going on; returns what has failed.
  package func abandon() -> [(role: TargetRoles, failure: SystemFailure)] {
    state.withLock { $0.isAbandoned = true }
    return state.wait(
      while: \.isRecording,
      then: { state in
        state.failures.sorted { $0.key < $1.key }.map { (TargetRoles(rawValue: $0.key), $0.value) }
      }
    )
  }

  private static func sync(
    _ state: Monitor<State>,
    _ syncs: [UInt8: Sync],
    _ record: ([Int], TargetRoles, TargetExtent?) -> Void
  ) {
    let (taken, failures) = state.withLock { state in
      defer { state.news.removeAll() }
      return (state.news, state.failures)
    }
    for (role, news) in taken.sorted(by: { $0.key < $1.key }) {
      guard failures[role] == nil, let sync = syncs[role] else { continue }
      do throws(SystemFailure) {
        try sync()
      } catch {
        // A later sync may succeed although these bytes are lost.
        state.withLock { $0.failures[role] = error }
        continue
      }
      guard state.withLock({ $0.beginRecording() }) else { return }
      record(news.operations, TargetRoles(rawValue: role), news.extent)
      state.withLock { $0.isRecording = false }
      state.broadcast()
    }
  }
}

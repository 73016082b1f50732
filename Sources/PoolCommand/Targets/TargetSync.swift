import PoolJournal
import PoolModel
import PoolSystem

/// Makes the disk have what targets got before the journal says that they have it.
///
/// A thread of its own does that once a second, since a sync may take long and must not delay those
/// of the journal.
final class TargetSync: Sendable {
  typealias Sync = @Sendable () throws(SystemFailure) -> Void

  private struct News {
    var operations: [Int] = []
    var extent: TargetExtent?
  }

  private struct State {
    var news: [UInt8: News] = [:]
    /// Roles of targets whose sync has failed: it is unknown what the disk has.
    var failed = TargetRoles()
    var isClosing = false
  }

  private static let period = Int64.seconds(1)

  private let syncs: [UInt8: Sync]
  private let record: @Sendable ([Int], TargetRoles, TargetExtent?) -> Void
  private let state = Monitor(State())
  private let thread: SystemThread

  /// Starts the thread; `record` is called for what the disk has.
  init(
    _ syncs: [UInt8: Sync],
    record: @escaping @Sendable ([Int], TargetRoles, TargetExtent?) -> Void
  ) throws(SystemFailure) {
    (self.syncs, self.record) = (syncs, record)
    let state = state
    thread = try SystemThread.start(name: "opool-targets", mask: .full) {
      while !state.wait(until: MonotonicClock.now + Self.period, while: { !$0.isClosing }) {
        Self.sync(state, syncs, record)
      }
    }
  }

  /// Whether a role has a target that must be synced.
  func delays(_ role: TargetRoles) -> Bool { syncs[role.rawValue] != nil }

  /// A target has the values of these operations, and a length.
  func note(_ operations: [Int], by role: TargetRoles, _ extent: TargetExtent?) {
    state.withLock { state in
      state.news[role.rawValue, default: News()].operations += operations
      if let extent { state.news[role.rawValue]?.extent = extent }
    }
  }

  /// Syncs and records the rest.
  func close() {
    state.withLock { $0.isClosing = true }
    state.broadcast()
    thread.join()
    Self.sync(state, syncs, record)
  }

  private static func sync(
    _ state: Monitor<State>,
    _ syncs: [UInt8: Sync],
    _ record: ([Int], TargetRoles, TargetExtent?) -> Void
  ) {
    let (taken, failed) = state.withLock { state in
      defer { state.news.removeAll() }
      return (state.news, state.failed)
    }
    for (value, news) in taken.sorted(by: { $0.key < $1.key }) {
      let role = TargetRoles(rawValue: value)
      guard !failed.contains(role), let sync = syncs[value] else { continue }
      do throws(SystemFailure) {
        try sync()
        record(news.operations, role, news.extent)
      } catch {
        // A later sync may succeed although these bytes are lost.
        state.withLock { _ = $0.failed.insert(role) }
      }
    }
  }
}

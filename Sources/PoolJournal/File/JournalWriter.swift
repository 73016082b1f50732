import PoolSystem

/// Appends records: those of a turn in one write, synced as the durability demands.
///
/// Records are appended and committed by one thread. Once something has failed nothing is written
/// any more: what a disk has after a failed write or sync is not known.
package final class JournalWriter: Sendable {
  private struct State {
    /// What the next commit writes.
    var text = JournalText()
    var pendingCount = 0
    /// How many records were given to a writer that could not write them.
    var lostCount = 0
    var schedule = SyncSchedule(window: Durability.windowLength)
    /// Where the last record ends that was written whole.
    var end: Int
    var failure: JournalError?
    var isClosing = false
  }

  private let storage: any JournalStorage
  private let durability: Durability
  private let state: Monitor<State>
  private let failed: @Sendable (JournalError) -> Void
  private let syncer: SystemThread?

  /// Begins to write behind that many bytes.
  ///
  /// The closure is told what fails on the thread that syncs; what fails in a call, the call says.
  package init(
    _ storage: any JournalStorage,
    end: Int,
    durability: Durability,
    failed: @escaping @Sendable (JournalError) -> Void
  ) throws(JournalError) {
    self.storage = storage
    self.durability = durability
    self.failed = failed
    let state = Monitor(State(end: end))
    self.state = state
    do throws(SystemFailure) {
      syncer =
        durability == .window
        ? try .start(name: "opool-journal", mask: .full) { Self.serve(state, storage, failed) }
        : nil
    } catch {
      throw JournalError(error)
    }
  }

  /// Why nothing is written any more.
  package var failure: JournalError? { state.withLock { $0.failure } }

  /// How many records may be missing for that reason.
  package var lostCount: Int { state.withLock { $0.lostCount } }

  /// Has a record written by the next commit.
  package func append(_ record: JournalRecord) {
    state.withLock { state in
      state.text.append(record)
      state.pendingCount += 1
    }
  }

  /// Writes what was appended, and waits for the disk where each outcome must be there.
  ///
  /// Throws also what has failed before, since then nothing was written.
  package func commit() throws(JournalError) {
    let bytes = try takeBytes()
    if bytes.isEmpty { return }
    do throws(SystemFailure) {
      try storage.append(bytes)
      if durability == .operation { try storage.sync() }
    } catch {
      throw give(up: error)
    }
    state.withLock { state in
      state.end += bytes.count
      state.pendingCount = 0
      state.schedule.wrote(at: MonotonicClock.now)
    }
    if durability == .window { state.signal() }
  }

  /// Writes and syncs the rest; nothing may follow.
  package func close() throws(JournalError) {
    let result = Result { () throws(JournalError) in try commit() }
    state.withLock { $0.isClosing = true }
    state.broadcast()
    syncer?.join()
    try result.get()
    if let failure { throw failure }
  }

  /// What was appended since the last commit.
  private func takeBytes() throws(JournalError) -> [UInt8] {
    let (bytes, failure) = state.withLock { state in
      defer { state.text.removeAll() }
      if state.failure != nil {
        state.lostCount += state.pendingCount
        state.pendingCount = 0
      }
      return (state.text.bytes, state.failure)
    }
    if let failure { throw failure }
    return bytes
  }

  private func give(up failure: SystemFailure) -> JournalError {
    let error = JournalError(failure)
    let end = state.withLock { state in
      state.failure = error
      state.lostCount += state.pendingCount
      state.pendingCount = 0
      return state.end
    }
    // Part of a record may be there. It would be found and cut later, so this may fail, too.
    try? storage.cut(to: end)
    return error
  }

  /// The thread that syncs.
  private static func serve(
    _ state: Monitor<State>,
    _ storage: any JournalStorage,
    _ failed: @Sendable (JournalError) -> Void
  ) {
    while awaitWork(state) {
      do throws(SystemFailure) {
        try storage.sync()
      } catch {
        let error = JournalError(error)
        state.withLock { $0.failure = $0.failure ?? error }
        return failed(error)
      }
    }
  }

  /// Waits until something must be synced; false when nothing ever will.
  private static func awaitWork(_ state: Monitor<State>) -> Bool {
    let due = state.wait(
      while: { $0.schedule.due == nil && !$0.isClosing },
      then: { $0.schedule.due }
    )
    guard let due else { return false }
    _ = state.wait(until: due, while: { !$0.isClosing })
    state.withLock { $0.schedule.beginSync() }
    return true
  }
}

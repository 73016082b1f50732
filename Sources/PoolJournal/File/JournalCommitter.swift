import PoolEvents
import PoolModel
import PoolSystem
import Synchronization

/// State shared by a journal's writer and its thread.
final class JournalCommitter: Sendable {
  fileprivate struct State {
    /// The text of the next commit.
    var text = JournalBytes()
    var pendingCount = 0
    /// Number of written records.
    var writtenCount = 0
    /// Number of records that could not be written, or may be lost.
    var lostCount = 0
    var marks: JournalMarks
    var schedule = SyncSchedule(window: Durability.windowLength)
    /// The end of the last complete record.
    var end: Int
    var failure: JournalError?
    var isClosing = false
  }

  private let storage: any JournalStorage
  private let durability: Durability
  private let epoch: UInt64
  private let outputs: OutputStore?
  private let state: Monitor<State>
  private let failed: @Sendable (JournalError) -> Void
  /// Locked while a thread writes to the file.
  private let writing = Mutex(())

  init(
    _ storage: any JournalStorage,
    _ position: JournalWriter.Position,
    _ durability: Durability,
    _ outputs: OutputStore?,
    failed: @escaping @Sendable (JournalError) -> Void
  ) {
    self.storage = storage
    self.durability = durability
    epoch = position.epoch
    self.outputs = outputs
    self.failed = failed
    state = Monitor(State(marks: JournalMarks(syncedEnd: position.syncedEnd), end: position.end))
  }

  var failure: JournalError? { state.withLock { $0.failure } }

  var lostCount: Int { state.withLock { $0.lostCount } }

  func append(_ record: JournalRecord) {
    state.withLock { state in
      state.text.append(record)
      state.pendingCount += 1
    }
  }

  /// Adds a fact of the run; it is no outcome that could be lost, and is left out after a failure.
  func append(_ fact: RunRecord, at time: Instant) {
    state.withLock { if $0.failure == nil { $0.text.append(fact, at: time) } }
  }

  func append(_ fact: RunRecord, at time: Instant, describing operation: SubmittedRecord) {
    state.withLock {
      if $0.failure == nil { $0.text.append(fact, at: time, describing: operation) }
    }
  }

  func notePrinted(_ outputs: [KeptOutputID]) {
    state.withLock { $0.marks.print(outputs) }
  }

  func note(_ outputs: [KeptOutputID], of target: UInt32, _ extent: TargetExtent?) {
    state.withLock { $0.marks.note(outputs, of: target, extent) }
  }

  func fail(_ error: JournalError) {
    state.withLock { $0.fail(error) }
  }

  /// Makes the thread end after everything is synced.
  func endThread() {
    state.withLock { $0.isClosing = true }
    state.broadcast()
  }
}

extension JournalCommitter {
  /// Writes the added records; marks alone are written only if asked for.
  func write(alsoMarksAlone: Bool) throws(JournalError) {
    let isWritten = try writing.withLock { _ throws(JournalError) in
      let (bytes, markEnd, count) = try takeBytes(alsoMarksAlone: alsoMarksAlone)
      if bytes.isEmpty { return false }
      let isSynced = durability == .operation
      do throws(JournalError) {
        try put(bytes, isSynced: isSynced)
      } catch {
        throw give(up: error)
      }
      state.withLock { state in
        state.end += bytes.count
        // More may have been added, and all may have been counted as lost, during the write.
        let writtenCount = min(count, state.pendingCount)
        state.writtenCount += writtenCount
        state.pendingCount -= writtenCount
        state.marks.wrote(markEnd, end: state.end, isSynced: isSynced)
        if durability == .window { state.schedule.wrote(at: MonotonicClock.now) }
      }
      return true
    }
    guard isWritten else { return }
    if durability == .window { state.signal() } else { releaseOutputs() }
  }

  /// Adds a mark that everything is synced: without it, missing bytes would later count as a hole,
  /// not as damage.
  func markEnd() {
    guard durability != .none else { return }
    var text = JournalBytes()
    for mark in state.withLock({ $0.marks.take(epoch: epoch) }) { text.append(mark) }
    if !text.bytes.isEmpty { try? storage.append(text.bytes) }
  }

  /// Throws if the system could not keep what was written.
  func confirm() throws(JournalError) {
    try JournalError.system { () throws(SystemFailure) in try storage.confirm() }
  }

  /// The records added since the last commit, after the marks that are due; and how many they are.
  private func takeBytes(
    alsoMarksAlone: Bool
  ) throws(JournalError) -> (bytes: [UInt8], markEnd: Int, count: Int) {
    let (taken, failure) = state.withLock { state in
      if state.failure != nil {
        state.lostCount += state.pendingCount
        state.pendingCount = 0
      }
      // Facts wait for outcomes, as marks do.
      let isDue = alsoMarksAlone && (state.marks.hasNews || !state.text.bytes.isEmpty)
      guard state.pendingCount > 0 || isDue else { return (([UInt8](), 0, 0), state.failure) }
      defer { state.text.removeAll() }
      let marks = state.marks.take(epoch: epoch)
      if marks.isEmpty { return ((state.text.bytes, state.end, state.pendingCount), state.failure) }
      var text = JournalBytes()
      for mark in marks { text.append(mark) }
      let markEnd = state.end + text.bytes.count
      return ((text.bytes + state.text.bytes, markEnd, state.pendingCount), state.failure)
    }
    if let failure { throw failure }
    return taken
  }

  /// Writes the records, after the outputs that they refer to, and checks the result.
  private func put(_ bytes: [UInt8], isSynced: Bool) throws(JournalError) {
    let end = state.withLock { $0.end }
    do throws(SystemFailure) {
      if isSynced { try outputs?.sync() }
      try storage.append(bytes)
      if isSynced { try storage.sync() }
    } catch {
      throw JournalError(error)
    }
    try storage.check(byteCount: end + bytes.count)
  }

  private func give(up error: JournalError) -> JournalError {
    let end = state.withLock { state in
      state.fail(error)
      return state.end
    }
    // Part of a record may have been written. It would be found and removed later, so this may
    // fail.
    if error.code != .tampered { try? storage.cut(to: end) }
    return error
  }
}

extension JournalCommitter.State {
  /// Stops writing.
  mutating func fail(_ error: JournalError) {
    failure = failure ?? error
    lostCount += pendingCount
    pendingCount = 0
    // A file without its name keeps nothing.
    guard error.code == .tampered else { return }
    lostCount += writtenCount
    writtenCount = 0
  }
}

// MARK: - The writer's own thread

extension JournalCommitter {
  /// Period of checking the file and writing marks: once a second.
  private static let period: Int64 = 1_000_000_000

  /// The thread's next step.
  private enum Duty {
    case sync
    case look
    case end
  }

  /// Syncs when the window demands it, and checks each second whether the file still exists.
  func serve() {
    var lookTime = MonotonicClock.now + Self.period
    while true {
      do throws(JournalError) {
        switch awaitDuty(lookTime) {
        case .sync: try sync()
        case .look:
          lookTime = MonotonicClock.now + Self.period
          try look()
        case .end: return
        }
      } catch {
        state.withLock { $0.fail(error) }
        return failed(error)
      }
    }
  }

  private func awaitDuty(_ lookTime: Int64) -> Duty {
    while true {
      let (due, isClosing, hasFailed) = state.withLock { state in
        (state.schedule.due, state.isClosing, state.failure != nil)
      }
      if hasFailed { return .end }
      let now = MonotonicClock.now
      if let due, isClosing || now >= due { return .sync }
      if isClosing { return .end }
      if now >= lookTime { return .look }
      _ = state.wait(until: min(due ?? lookTime, lookTime)) { state in
        state.schedule.due == due && !state.isClosing
      }
    }
  }

  private func sync() throws(JournalError) {
    let end = state.withLock { state in
      state.schedule.beginSync()
      return state.end
    }
    do throws(SystemFailure) {
      try outputs?.sync()
      try storage.sync()
    } catch {
      throw JournalError(error)
    }
    state.withLock { $0.marks.synced(end) }
    releaseOutputs()
  }

  private func look() throws(JournalError) {
    try writing.withLock { _ throws(JournalError) in
      guard failure == nil else { return }
      try storage.check(byteCount: state.withLock { $0.end })
    }
    // A failure is reported by the caller, here as elsewhere.
    try write(alsoMarksAlone: true)
  }

  /// Frees the space of outputs whose printing is on record.
  func releaseOutputs() {
    guard let outputs else { return }
    let numbers = state.withLock { $0.marks.takeReleased(isSynced: durability != .none) }
    if !numbers.isEmpty { outputs.release(numbers) }
  }
}

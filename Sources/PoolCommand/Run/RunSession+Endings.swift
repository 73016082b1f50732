import OperationPool
import PoolContents
import PoolEvents
import PoolInputs
import PoolJournal
import PoolModel
import PoolReports
import PoolSystem

// The ends of operations: their outputs are stored first, and then they are concluded, in order.

extension RunSession {
  /// The most operations that may have ended and wait for the outputs of others, if none depends on
  /// another.
  private static let waitingLimit = 64
  /// The most bytes of results in memory that wait while further operations start: 16 MiB.
  private static let heldLimit = 16 << 20

  /// Calls the closure after the operations that ended before were concluded.
  func inOrder(_ body: @escaping @Sendable () -> Void) {
    guard endings.count > 0 else { return body() }
    endings.append(isLong: false, store: { _ in .stored(nil) }, conclude: { _ in body() })
  }

  /// Stores the outputs of an operation, and then concludes it, after those that ended before.
  func conclude(_ ended: EndedOperation) {
    let isLong = (folder != nil || ended.isKept) && ended.isLong
    guard isLong || endings.count > 0 else {
      return conclude(ended, store(ended) { true })
    }
    endings.append(
      isLong: isLong,
      holding: ended.result?.inlineCount ?? 0,
      store: { self.store(ended, while: $0) },
      conclude: { self.conclude(ended, $0) }
    )
  }

  /// Puts the outputs of an operation where they belong: into the journal first, which has them if
  /// they cannot be put into the folder.
  private func store(_ ended: EndedOperation, while isWanted: () -> Bool) -> OutputStorage {
    var kept: KeptOutput?
    if ended.isKept, let journal {
      let storage = journal.keep(
        ended.outputs,
        ended.readers.contains(.results) ? ended.result : nil,
        of: ended.record.number,
        for: ended.readers,
        while: isWanted
      )
      guard case .stored(let output) = storage else { return storage }
      kept = output
    }
    let storage = folder?.fill(ended, while: isWanted) ?? .stored(nil)
    if case .failed = storage { control.endUnstored() }
    switch storage {
    case .stored: return .stored(kept)
    case .failed: return .failed(kept)
    // A later run puts what the journal has there.
    case .dropped: return kept == nil && ended.resumed == nil ? .dropped : .failed(kept)
    }
  }

  private func conclude(_ ended: EndedOperation, _ storage: OutputStorage) {
    let operation = ended.record.number
    var (isStored, isKeeping) = (false, false)
    switch storage {
    case .stored(let kept):
      (isStored, isKeeping) = (true, ended.isKept)
      if isKeeping { keep(ended, kept) }
    case .failed(let kept):
      isKeeping = ended.isKept
      if isKeeping { keep(ended, kept) }
    case .dropped:
      journal?.cancelOutputs(of: operation)
      tellDropped(ended)
    }
    if !isKeeping { tellBook(of: ended.record, counts: isStored) }
    guard !mustWait(isKeeping: isKeeping) else {
      return wait(.outcome(ended, isStored: isStored, isKeeping: isKeeping))
    }
    finish(ended, isStored: isStored, isKeeping: isKeeping, isKept: true)
  }

  /// Adds the outcome of an operation to the journal.
  private func keep(_ ended: EndedOperation, _ kept: KeptOutput?) {
    let record = ended.record
    let isLogged = ended.readers.contains(.jobLog)
    let start = isLogged ? record.start(inRunFrom: identity.start) : nil
    journal?.append(record, kept, id: workload.id(of: record.number), startingAt: start)
  }

  /// The journal has the outcome, or could not be written.
  func finish(_ ended: EndedOperation, isStored: Bool, isKeeping: Bool, isKept: Bool) {
    let isReported = isStored && (isKept || !isKeeping)
    if isReported { folder?.noteFilled(ended) }
    // What the journal lacks is printed by the run that executes the operation again.
    tell(
      ended,
      OutcomeDelivery(
        roles: isReported ? ended.readers : ended.readers.intersection(.streams),
        isReported: isReported,
        isPrinted: isKept && isStored
      )
    )
    let operation = ended.record.number
    tellLoss(of: ended)
    haltIfReached()
    countSettled(operation)
    gate?.noteEnd(of: operation)
    if isKeeping, isKept { journal?.replaceOutputs(of: operation) }
  }

  /// The end of a group, which executes nothing: what happened before has been told.
  func finish(group ended: EndedOperation, isKept: Bool) {
    // The outcomes of its members may be among those that were not kept.
    let isReported = isKept || ended.record.ending != .succeeded
    book?.tell(ended.record, counts: isReported)
    let roles = isReported ? TargetRoles.results : .none
    tell(ended, OutcomeDelivery(roles: roles, isReported: isReported, isPrinted: false))
  }

  /// Hands an outcome to the readers, and before it the attempt that it has ended.
  private func tell(_ ended: EndedOperation, _ delivery: OutcomeDelivery) {
    if readers.kinds.contains(.attemptEnded), recorder.endsAttempt(ended.record) {
      readers.take(.attemptEnded(ended.record))
    }
    readers.take(ended, delivery)
  }

  /// Tells the journal of an end that it does not keep, in this run.
  private func tellBook(of record: EndRecord, counts: Bool) {
    guard let book, !record.isResumed else { return }
    let isAttempt = recorder.endsAttempt(record)
    // The end of a run may cancel millions that have not begun.
    guard isAttempt || record.attempt > 0 || control.earlyExitCode == nil else { return }
    if isAttempt { book.take(.attemptEnded(record)) }
    book.tell(record, counts: counts)
  }

  private func tellDropped(_ ended: EndedOperation) {
    let rest = journal == nil ? "" : "; --resume executes it again"
    let what = ended.outputs.isLong ? "output" : "result"
    say(
      "\(label(ended.record.number)): its \(what) is not stored: the run had to end\(rest)",
      always: true
    )
  }

  /// Whether the next operation may be dispatched: the outcomes on which it relies are kept first.
  func dispatchPermission() -> DispatchPermission {
    if endings.count > 0 {
      endings.advance()
      // A dispatch may rely on any of these outcomes, or the journal may promise them.
      let isFree = journal == nil && workload.dependencyOrder == nil
      let isFull = endings.count > Self.waitingLimit || endings.heldByteCount > Self.heldLimit
      if isFull || !isFree && endings.count > 0 {
        return control.hasCancelled ? .denied : .later
      }
    }
    return commitJournal() ? .granted : .denied
  }

  /// Waits until large outputs are stored, as long as the run may; call it when the loop has ended.
  ///
  /// Returns whether it was in time.
  func finishEndings() -> Bool {
    let start = MonotonicClock.now
    var isInTime = true
    endings.advance()
    while isInTime, endings.count > 0 {
      isInTime = control.readers.wait(for: .storage, since: start, grace: Self.storageGrace)
      endings.advance()
    }
    if !isInTime { endings.drop(within: Self.storageGrace) }
    finishTurn()
    return isInTime
  }

  /// Nanoseconds for outputs that are being stored when the run must end: 200 ms.
  private static let storageGrace = Int64.milliseconds(200)
}

import OperationPool
import PoolCore
import PoolEvents
import PoolJournal
import PoolModel
import PoolSystem

// The ends of operations: their outputs are stored first, and then they are concluded, in order.

extension RunSession {
  /// An operation that has ended, and what is to be done with it: an object, because it is handed on
  /// several times.
  final class EndedOperation: Sendable {
    let settlement: Settlement
    let record: SettledRecord
    let outputs: OutputPair
    /// The result that the journal, the folder or the results get, if any.
    let result: ResultContent?
    /// What an earlier run has of it, if that executed it.
    let resumed: RunJournal.Resumed?
    /// The targets that get its value.
    let readers: TargetRoles
    /// Whether the journal keeps its outcome.
    let isKept: Bool

    init(
      _ settlement: Settlement,
      _ record: SettledRecord,
      _ outputs: OutputPair,
      result: ResultContent? = nil,
      resumed: RunJournal.Resumed? = nil,
      for readers: TargetRoles,
      isKept: Bool
    ) {
      (self.settlement, self.record, self.outputs) = (settlement, record, outputs)
      (self.result, self.resumed) = (result, resumed)
      (self.readers, self.isKept) = (readers, isKept)
    }

    /// Whether storing its value takes long.
    var isLong: Bool { outputs.isLong || result?.isLong == true }

    /// What is to be printed: not what an interrupted run has printed already.
    var unprintedOutputs: OutputPair {
      guard let count = resumed?.printedCount, count > 0 else { return outputs }
      return OutputPair(output: outputs.output.dropFirst(count), error: outputs.error)
    }

    /// The value that a line of results has: nothing of an earlier run's, unless the file lacks it.
    func line(for readers: TargetRoles) -> (outputs: OutputPair, result: ResultContent?) {
      let hasValue = resumed == nil || readers.contains(.results)
      return hasValue ? (outputs, result) : (.empty, nil)
    }
  }

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
    switch fill(ended, while: isWanted) {
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
    guard let journal, mustWait(isKeeping: isKeeping) else {
      return finish(ended, isStored: isStored, isKeeping: isKeeping, isKept: true)
    }
    journal.afterCommit { [isStored, isKeeping] isKept in
      self.finish(ended, isStored: isStored, isKeeping: isKeeping, isKept: isKept)
    }
  }

  /// Adds the outcome of an operation to the journal.
  private func keep(_ ended: EndedOperation, _ kept: KeptOutput?) {
    let record = ended.record
    let isLogged = ended.readers.contains(.jobLog)
    let start = isLogged ? record.start(inRunFrom: runStart) : nil
    journal?.append(record, kept, id: workload.id(of: record.number), startingAt: start)
  }

  /// The journal has the outcome, or could not be written.
  private func finish(_ ended: EndedOperation, isStored: Bool, isKeeping: Bool, isKept: Bool) {
    let isReported = isStored && (isKept || !isKeeping)
    if isReported { noteFilled(ended) }
    // What the journal lacks is printed by the run that executes the operation again.
    conclude(
      ended,
      for: isReported ? ended.readers : ended.readers.intersection(.streams),
      isReported: isReported,
      isPrinted: isKept && isStored
    )
    let operation = ended.record.number
    countSettled(operation)
    gate?.noteEnd(of: operation)
    if isKeeping, isKept { journal?.replaceOutputs(of: operation) }
  }

  /// The folder has the value of an operation, and the journal its outcome.
  private func noteFilled(_ ended: EndedOperation) {
    guard folder != nil, ended.readers.contains(.results) || ended.resumed?.isKept == true else {
      return
    }
    journal?.note([ended.record.number], by: .results)
  }

  private func tellDropped(_ ended: EndedOperation) {
    let rest = journal == nil ? "" : "; --resume executes it again"
    let what = ended.outputs.isLong ? "output" : "result"
    say(
      "\(label(ended.settlement.operation)): its \(what) is not stored: the run had to end\(rest)",
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

import OperationPool
import PoolCore
import PoolModel
import PoolSystem

// The ends of operations: their outputs are stored first, and then they are concluded, in order.

extension RunSession {
  /// An operation that has ended, and what is to be done with it.
  struct EndedOperation: Sendable {
    var settlement: Settlement
    var report: OperationReport
    var outputs: OutputPair
    /// Whether it is in the job log and in the folder of results.
    var isLogged: Bool
    /// Whether the journal keeps its outcome.
    var isKept: Bool
  }

  /// The most operations that may have ended and wait for the outputs of others, if none depends on
  /// another.
  private static let waitingLimit = 64

  /// Calls the closure after the operations that ended before were concluded.
  func inOrder(_ body: @escaping @Sendable () -> Void) {
    guard endings.count > 0 else { return body() }
    endings.append(isLong: false, store: { _ in .stored(nil) }, conclude: { _ in body() })
  }

  /// Stores the outputs of an operation, and then concludes it, after those that ended before.
  func conclude(_ ended: EndedOperation) {
    let isLong = (folder != nil || ended.isKept) && ended.outputs.isLong
    guard isLong || endings.count > 0 else {
      return conclude(ended, store(ended) { true })
    }
    endings.append(
      isLong: isLong,
      store: { self.store(ended, while: $0) },
      conclude: { self.conclude(ended, $0) }
    )
  }

  /// Puts the outputs of an operation where they belong.
  private func store(_ ended: EndedOperation, while isWanted: () -> Bool) -> OutputStorage {
    let storage = store(
      ended.outputs,
      of: ended.settlement,
      isLogged: ended.isLogged,
      while: isWanted
    )
    guard case .stored = storage, ended.isKept, let journal else { return storage }
    return journal.keep(
      folder == nil ? ended.outputs : .empty,
      of: ended.settlement.operation.number,
      while: isWanted
    )
  }

  private func conclude(_ ended: EndedOperation, _ storage: OutputStorage) {
    let operation = ended.settlement.operation.number
    var (isStored, isKeeping) = (false, false)
    switch storage {
    case .stored(let kept):
      isStored = true
      isKeeping = ended.isKept
      if isKeeping { journal?.append(ended.report, kept, of: operation) }
    case .dropped: tellDropped(ended.settlement)
    case .failed: break
    }
    whenKept(isKeeping: isKeeping) { [isStored, isKeeping] isKept in
      let isReported = isStored && (isKept || !isKeeping)
      // What the journal lacks is printed by the run that executes the operation again.
      self.conclude(ended, isReported: isReported, isPrinted: isKept && isStored)
      if isReported, ended.isLogged { self.log(ended.report, of: operation) }
      self.countSettled(operation)
      self.gate?.noteEnd(of: operation)
      if isKeeping, isKept { self.journal?.replaceOutputs(of: operation) }
    }
  }

  private func tellDropped(_ settlement: Settlement) {
    let rest = journal == nil ? "" : "; --resume executes it again"
    say(
      "\(label(settlement.operation)): its output is not stored: the run had to end\(rest)",
      always: true
    )
  }

  /// Whether the next operation may be dispatched: the outcomes on which it relies are kept first.
  func dispatchPermission() -> DispatchPermission {
    if endings.count > 0 {
      endings.advance()
      // A dispatch may rely on any of these outcomes, or the journal may promise them.
      let isFree = journal == nil && workload.dependencyOrder == nil
      if endings.count > (isFree ? Self.waitingLimit : 0) {
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

import OperationPool
import PoolCore
import PoolEvents
import PoolJournal
import PoolModel
import PoolSystem
import Synchronization

// What a run leaves for other programs and for logs: the job log, the folder of results, and lines
// about its progress.

extension RunSession {
  /// Whether an operation has executed and ended by itself, or by its own timeout, in this run.
  ///
  /// Only such an operation is in the job log and in the folder of results: GNU parallel's
  /// `--resume` does not execute again what it finds there.
  func hasEnded(_ settlement: Settlement, _ record: SettledRecord) -> Bool {
    guard folder != nil || hasJobLog, !record.isResumed else { return false }
    guard record.started != nil || settlement.cause == .answer else { return false }
    return isFinal(settlement) || settlement.cause == .answer && record.stepsTaken.isEmpty
  }

  /// Whether the folder calls a resumed operation by its number, which was another one when it was
  /// executed.
  private func hasMoved(_ operation: Int) -> Bool {
    guard workload.givenID(of: operation) == nil, workload.resultsPath(of: operation) == nil else {
      return false
    }
    return journal?.resumedSettlement(of: operation)?.id != workload.id(of: operation)
  }

  /// Puts the outputs and the result of an operation into the folder of results, if it lacks them; if
  /// that fails, ends the run.
  func fill(_ ended: EndedOperation, while isWanted: () -> Bool) -> OutputStorage {
    let operation = ended.record.number
    guard let folder else { return .stored(nil) }
    let resumed = ended.resumed
    let isThere = resumed == nil || !hasMoved(operation) && folder.has(operation, in: workload)
    // What was in the folder may have been removed since.
    guard ended.readers.contains(.results) || resumed?.isKept == true && !isThere else {
      if !isThere { state.withLock { $0.absentOutputs += 1 } }
      return .stored(nil)
    }
    do throws(ResultsFolder.Failure) {
      let result =
        workload.isCommand(operation) ? nil : ResultsFolder.Result(ended.result)
      try folder.write(ended.outputs, result, of: operation, in: workload, while: isWanted)
      return .stored(nil)
    } catch {
      if error.isCancelled { return .dropped }
      state.withLock { if $0.folderFailure == nil { $0.folderFailure = error } }
      if control.earlyExitCode == nil { control.end(as: .output) }
      return .failed(nil)
    }
  }

  /// Adds a line to the job log.
  func log(_ record: SettledRecord) {
    guard hasJobLog else { return }
    writing { $0.jobLog?.append(record, in: workload, runStart: runStart) }
  }

  /// Writes lines to targets; ends the run if they cannot be stored.
  @discardableResult
  func writing<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
    let (value, hasFailed) = state.withLock { state in
      let value = body(&state)
      return (value, state.results?.failure != nil || state.jobLog?.sink.failure != nil)
    }
    if hasFailed, control.earlyExitCode == nil { control.end(as: .output) }
    return value
  }

  /// When the run reports its progress; nil if it does not.
  var progressReports: ProgressReports? {
    let choice = ProgressReports.Choice(
      request: options.progressInterval,
      isQuiet: options.verbosity == .quiet,
      declinesProgress: options.progress == false,
      hasProgressLine: options.showsProgress,
      isErrorTerminal: Descriptors.isTerminal(2)
    )
    return choice.interval.map { ProgressReports(every: $0, from: MonotonicClock.now) }
  }

  /// Reports the progress, if anything executes.
  func sayProgress() {
    let snapshot = runProgress.snapshot(
      at: control.engine.now,
      starting: { control.startingWorkers(of: options.workers.count) },
      label: { _ in "" }
    )
    guard snapshot.executing + snapshot.starting > 0 else { return }
    if options.printsJSON { printer.say(snapshot.json) } else { say(snapshot.report, always: true) }
  }
}

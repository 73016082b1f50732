import PoolEvents
import PoolInputs
import PoolJournal
import PoolReports
import Synchronization

/// The folder of results of a run, filled as operations end.
final class FolderTarget: Sendable {
  private struct State {
    /// Why outputs could not be put there.
    var failure: ResultsFolder.Failure?
    /// Number of operations that an earlier run executed whose outputs are not there.
    var absentCount = 0
  }

  let folder: ResultsFolder
  private let workload: any Workload
  private let journal: RunJournal?
  private let state = Mutex(State())

  init?(_ folder: ResultsFolder?, _ workload: any Workload, _ journal: RunJournal?) {
    guard let folder else { return nil }
    (self.folder, self.workload, self.journal) = (folder, workload, journal)
  }

  var failure: ResultsFolder.Failure? { state.withLock { $0.failure } }

  /// What to say at the end of outputs that are not there; nil if all are.
  var absence: String? {
    let count = state.withLock { $0.absentCount }
    return count > 0 ? folder.absence(of: count) : nil
  }

  /// Puts the outputs and the result of an operation there, if it lacks them.
  func fill(_ ended: EndedOperation, while isWanted: () -> Bool) -> OutputStorage {
    let operation = ended.record.number
    let resumed = ended.resumed
    let isThere = resumed == nil || !hasMoved(operation) && folder.has(operation, in: workload)
    // What was there may have been removed since.
    guard ended.readers.contains(.results) || resumed?.isKept == true && !isThere else {
      if !isThere { state.withLock { $0.absentCount += 1 } }
      return .stored(nil)
    }
    do throws(ResultsFolder.Failure) {
      let result =
        workload.isCommand(operation) ? nil : ResultsFolder.Result(ended.result)
      try folder.write(ended.outputs, result, of: operation, in: workload, while: isWanted)
      return .stored(nil)
    } catch {
      if error.isCancelled { return .dropped }
      state.withLock { if $0.failure == nil { $0.failure = error } }
      return .failed(nil)
    }
  }

  /// The folder has the value of an operation, and the journal its outcome.
  func noteFilled(_ ended: EndedOperation) {
    guard ended.readers.contains(.results) || ended.resumed?.isKept == true else { return }
    journal?.note([ended.record.number], by: .results)
  }

  /// Whether the folder calls a resumed operation by its number, which was another one when it was
  /// executed.
  private func hasMoved(_ operation: Int) -> Bool {
    guard workload.givenID(of: operation) == nil, workload.resultsPath(of: operation) == nil else {
      return false
    }
    return journal?.resumedEnd(of: operation)?.id != workload.id(of: operation)
  }
}

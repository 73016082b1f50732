package import PoolEvents
package import PoolInputs
import PoolModel
import PoolWire

/// Counts how operations end, for the last lines of the run and its exit code, and tells failures
/// when they happen.
package final class SummaryReader: RunReader {
  package private(set) var summary = Summary()
  private let workload: any Workload
  /// Whether commands may have been written for another shell than the one that executes them.
  private let hasForeignSyntax: Bool
  private let notices: FailureNotices?
  /// What tells failures instead of notices, if something does.
  private let github: GitHubReader?

  /// Without notices, and if nothing else tells them, failures are told at the end only.
  package init(
    _ workload: any Workload,
    shell: [UInt8]?,
    _ notices: FailureNotices?,
    github: GitHubReader? = nil
  ) {
    (self.workload, self.notices, self.github) = (workload, notices, github)
    // `opool map` has looked at its only command before.
    hasForeignSyntax = workload.file != nil && shell == nil
  }

  package var kinds: RunRecord.Kinds { [.settled, .retryPlanned] }

  package func take(_ record: RunRecord) {
    switch record {
    case .settled(let end, _): add(end, .empty)
    case .retryPlanned: summary.addRetry()
    default: break
    }
  }

  private func add(_ end: EndRecord, _ outputs: OutputPair) {
    guard end.memberCount == nil else { return }
    let failure = summary.add(end, telling: telling) {
      var description = workload.description(of: end.number)
      description.name = workload.title(of: end.number)
      return description
    }
    if let failure { notices?.tell(failure, outputs) }
    advise(on: end)
  }

  /// How the failure with this number, from 0, is told.
  private func telling(_ number: Int) -> Summary.Telling {
    if let notices { return notices.isWanted ? .line : .later }
    return github?.telling(number) ?? .later
  }

  /// Adds a hint if a command of a manifest may have failed because it was written for bash.
  private func advise(on end: EndRecord) {
    let isUnknown = end.cause == .spawn
    let isRefused = end.exit == 2 || end.exit == 127
    guard isUnknown || isRefused, hasForeignSyntax,
      let action = workload.commandPayload(of: end.number)?.action,
      let hint = BashSyntax.ofThisProcess.hint(for: action)
    else { return }
    summary.advise(hint)
  }
}

extension SummaryReader: OutcomeTaker {
  package func take(_ ended: EndedOperation, _ delivery: OutcomeDelivery) {
    add(ended.record, ended.outputs)
  }
}

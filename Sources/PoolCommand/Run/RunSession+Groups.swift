import OperationPool
import PoolCore
import PoolJournal
import PoolModel
import Synchronization

// The ends of groups, which have only a line in the results: they execute nothing, and their members
// are counted. Then what the ends of operations need, too.

extension RunSession {
  func groupSettled(_ group: Int, _ settlement: Settlement, isKept: Bool) {
    let name = workload.groupName(group)
    let hasSucceeded = settlement.ending == .succeeded
    var report = OperationReport(
      id: name,
      memberCount: submission.memberCounts[group],
      ending: settlement.ending,
      cause: hasSucceeded ? nil : rootCause(of: settlement),
      finished: settlement.finished.nanoseconds,
      message: hasSucceeded ? nil : "not all of its members succeeded"
    )
    let number = settlement.operation.number
    report.key = journal?.idempotencyKey(ofGroup: name) ?? identifier.key(ofOperation: number)
    report.run = runIdentifier
    // The outcomes of its members may be among those that were not kept.
    _ = note(settlement, report, isReported: isKept || !hasSucceeded, for: .results)
    tellEnding(of: "group " + Printable.name(name), settlement)
  }

  /// Notes an ending, and adds it to the results if it may be reported; returns whether the
  /// operation was skipped because everything succeeded.
  ///
  /// A file of results that is continued has no second line of an outcome that is resumed, nor one that
  /// contradicts it: an operation that the journal has, and that the end of this run kept from being
  /// resumed, is what it was.
  func note(
    _ settlement: Settlement,
    _ report: OperationReport,
    isReported: Bool,
    for readers: TargetRoles
  ) -> Bool {
    let number = settlement.operation.number
    let report = asKept(report, number)
    let isAdded =
      !report.isResumed || readers.contains(.results) || journal?.isNew(.results) == true
    let (isUnneeded, isFirst) = writing { state in
      state.endings[number] = settlement.ending.rawValue
      let isFirst =
        isReported && isAdded
        && state.results?.append(report, of: number, at: settlement.finished) == true
      let isUnneeded =
        settlement.ending == .skipped
        && state.endings[settlement.root.number] == PoolEnding.succeeded.rawValue
      return (isUnneeded, isFirst)
    }
    if isFirst { flow.noteLines() }
    return isUnneeded
  }

  /// The report with the outcome that the journal has, if it has one.
  private func asKept(_ report: OperationReport, _ operation: Int) -> OperationReport {
    guard options.results != nil, !report.isResumed, report.memberCount == nil,
      let kept = journal?.resumption(of: operation)
    else { return report }
    var report = report
    (report.ending, report.isResumed) = (kept.ending, true)
    return report
  }

  /// The operation, or group, that is the root cause of this skip.
  func rootCause(of settlement: Settlement) -> String {
    "dependency:" + String(decoding: rootID(of: settlement), as: UTF8.self)
  }

  private func rootLabel(of settlement: Settlement) -> String {
    Printable.name(rootID(of: settlement))
  }

  private func rootID(of settlement: Settlement) -> [UInt8] {
    let root = settlement.root
    return group(root).map { workload.groupName($0) } ?? workload.id(of: root.number)
  }

  func tellEnding(of label: @autoclosure () -> String, _ settlement: Settlement) {
    guard options.verbosity == .verbose else { return }
    let root = settlement.cause == .dependency ? " because of \(rootLabel(of: settlement))" : ""
    say("\(label()): \(settlement.ending.name)\(root)")
  }
}

import OperationPool
import PoolCore
import PoolEvents
import PoolJournal
import PoolModel
import Synchronization

// The ends of groups, which have only a line in the results: they execute nothing, and their members
// are counted. Then what the ends of operations need, too.

extension RunSession {
  func groupSettled(_ group: Int, _ settlement: Settlement, isKept: Bool) {
    let hasSucceeded = settlement.ending == .succeeded
    let record = SettledRecord(
      number: settlement.operation.number,
      memberCount: submission.memberCounts[group],
      ending: settlement.ending,
      cause: hasSucceeded ? nil : .dependency,
      root: hasSucceeded ? nil : settlement.root.number,
      finished: settlement.finished,
      message: hasSucceeded ? nil : "not all of its members succeeded"
    )
    // The outcomes of its members may be among those that were not kept.
    _ = note(record, isReported: isKept || !hasSucceeded, for: .results) { (.empty, nil) }
    tellEnding(of: "group " + Printable.name(workload.groupName(group)), settlement)
  }

  /// Notes an ending, and adds it to the results, with its value, if it may be reported; returns whether
  /// the operation was skipped because everything succeeded.
  ///
  /// A file of results that is continued has no second line of an outcome that is resumed, nor one that
  /// contradicts it: an operation that the journal has, and that the end of this run kept from being
  /// resumed, is what it was.
  func note(
    _ record: SettledRecord,
    isReported: Bool,
    for readers: TargetRoles,
    _ value: () -> (outputs: OutputPair, result: ResultContent?)
  ) -> Bool {
    let line = isReported ? line(of: record, for: readers, value) : nil
    let (isUnneeded, isFirst) = writing { state in
      state.endings[record.number] = record.ending.rawValue
      let isFirst = line.map { state.results?.append($0, at: record.finished ?? .zero) == true }
      let rootEnding = record.root.map { state.endings[$0] }
      let isUnneeded =
        record.ending == .skipped && rootEnding == PoolEnding.succeeded.rawValue
      return (isUnneeded, isFirst == true)
    }
    if isFirst { flow.noteLines() }
    return isUnneeded
  }

  func tellEnding(of label: @autoclosure () -> String, _ settlement: Settlement) {
    guard options.verbosity == .verbose else { return }
    let root = root(of: settlement).map { Printable.name(workload.id(ofMember: $0)) }
    say("\(label()): \(settlement.ending.name)\(root.map { " because of \($0)" } ?? "")")
  }
}

import PoolCore
import PoolModel
import PoolWire
import Synchronization

extension PoolOperation {
  /// Why the operation is skipped: names the operation that is the root cause, and how it ended.
  func skipNote(root: OperationID) -> String? {
    let unmet = life.withLock { $0.dependencies.elements }.filter { element in
      element.operation.outcome.map { !element.requirement.isMet(by: $0.ending) } ?? false
    }
    guard let cause = (unmet.first { $0.operation.leads(to: root) } ?? unmet.first)?.operation,
      let outcome = cause.outcome
    else { return nil }
    // What was skipped itself has the sentence for its root already.
    if outcome.settlement.cause == .dependency, let note = outcome.report.note { return note }
    let end = outcome.description.bounded(to: 1_024)
    return "a dependency did not end as it required: '\(cause.label)' \(end)"
  }

  /// Whether it is this operation, or was skipped because of it.
  func leads(to root: OperationID) -> Bool {
    life.withLock { $0.id == root || $0.settlement?.root == root }
  }
}

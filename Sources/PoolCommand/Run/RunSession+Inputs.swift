import OperationPool
import PoolCore
import PoolJournal
import PoolModel
import PoolReports

extension RunSession {
  /// Ends an operation with its outcome from the journal, if that has one.
  func prepare(
    _ operation: OperationID,
    _ finished: @escaping @Sendable (Preparation<AttemptReport>) -> Void
  ) {
    let resumption = journal?.resumption(of: operation.number)
    finished(resumption.map { .ended($0.ending, .answer, .empty) } ?? .ready)
  }
}

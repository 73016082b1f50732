import OperationPool
import PoolCore
import PoolJournal
import PoolModel
import Synchronization

extension RunSession {
  /// Prepares the inputs of an operation, which may take long; or ends it with its outcome from the
  /// journal.
  func prepare(
    _ operation: OperationID,
    _ finished: @escaping @Sendable (Preparation) -> Void
  ) {
    if let resumption = journal?.resumption(of: operation.slot) {
      return finished(.ended(resumption.ending, .answer, .empty))
    }
    let inputs = state.withLock { $0.inputs.inputs(of: operation.slot, in: batch) }
    inputThread.submit { finished(Preparation(of: inputs)) }
  }
}

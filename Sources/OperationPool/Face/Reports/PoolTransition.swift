public import PoolModel

/// One step in the life of an operation, as its observers are told.
public enum PoolTransition: Sendable {
  /// It can be executed: nothing that it waits for is left.
  case ready
  /// It was ready, and waits for something again.
  case pending
  /// A worker executes it; attempts are numbered from 1.
  case executing(attempt: Int, worker: WorkerID)
  /// It has said how far it has come.
  case progressed(PoolProgress)
  /// It has said something to people.
  case logged(String)
  /// An attempt did not succeed, and another will be made; the failure names the operation.
  indirect case retrying(PoolFailure)
  /// Its cancellation was asked for; that it has finished follows.
  case cancelled
  /// It has its outcome. Nothing follows.
  indirect case finished(PoolOutcome)
}

public import PoolModel

/// A transition of an operation, as observers see it.
public enum PoolTransition: Sendable {
  /// It is ready: it waits for nothing any longer.
  case ready
  /// It was ready, and waits again.
  case pending
  /// A worker executes it; attempts are numbered from 1.
  ///
  /// A group has no worker: its members may be executed.
  case executing(attempt: Int, worker: WorkerID?)
  /// It has reported progress.
  case progressed(PoolProgress)
  /// It has logged a line.
  case logged(String)
  /// An attempt did not succeed, and another one follows; the failure names the operation.
  indirect case retrying(PoolFailure)
  /// It was cancelled; `finished` follows.
  case cancelled
  /// It has its outcome. No transition follows.
  indirect case finished(PoolOutcome)
}

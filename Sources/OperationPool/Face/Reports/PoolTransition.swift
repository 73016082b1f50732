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
  /// An attempt did not succeed, and another will be made.
  case retrying(PoolFailure)
  /// Its cancellation was asked for; that it has finished follows.
  case cancelled
  /// It has its outcome. Nothing follows.
  case finished(PoolOutcome)
}

/// How far an executing operation has come, in units of its own choice.
public struct PoolProgress: Hashable, Sendable {
  /// Units that are done.
  public var completed: Int64
  /// Units that there are; 0 where the operation does not know.
  public var total: Int64

  /// Makes a progress.
  public init(completed: Int64, total: Int64) {
    self.completed = completed
    self.total = total
  }

  /// The part that is done, from 0 to 1; nil where the total is not known.
  public var fraction: Double? {
    total > 0 ? min(max(Double(completed) / Double(total), 0), 1) : nil
  }
}

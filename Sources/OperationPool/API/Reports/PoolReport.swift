import PoolAnalysis
public import PoolModel

/// How far a queue has come, and where its time went.
public struct PoolReport: Sendable, CustomStringConvertible {
  /// Time since the queue began to keep what happens in it.
  public let elapsed: Duration
  /// Number of operations, without groups.
  public let operationCount: Int
  /// Number of operations that have ended in each way.
  public let endings: [PoolEnding: Int]
  /// The share of the time of its slots in which they executed operations, from 0 to 1.
  public let busyShare: Double

  /// The text that `opool report` prints of a run: how operations ended, what the slots did and
  /// waited for, failures by cause, deaths of workers, the chain of operations that decided how
  /// long it took, and what took longest.
  public let description: String

  init(_ history: RunHistory) {
    let analysis = RunAnalysis(history)
    elapsed = .nanoseconds(analysis.elapsed)
    operationCount = history.operations.count
    endings = history.operations.reduce(into: [:]) { counts, operation in
      if let ending = operation.ending { counts[ending, default: 0] += 1 }
    }
    busyShare = analysis.account.total > 0 ? analysis.account.busyShare : 0
    description = String(TextReport.text(of: analysis).dropLast())
  }
}

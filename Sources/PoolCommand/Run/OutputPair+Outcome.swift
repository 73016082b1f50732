import OperationPool
import PoolReports

extension OutputPair {
  /// The outputs of an operation's last attempt.
  init(of outcome: PoolOutcome) {
    self.init(output: outcome.report.standardOutput, error: outcome.report.standardError)
  }
}

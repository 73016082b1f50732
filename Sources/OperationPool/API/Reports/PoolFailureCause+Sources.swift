import PoolCore
import PoolModel
import PoolWire

extension PoolFailureCause {
  /// From a worker's report.
  init(_ cause: Failure.Cause) {
    self =
      switch cause {
      case .exit: .exit
      case .signal: .signal
      case .error: .error
      case .spawn: .spawn
      case .outputLimit: .outputLimit
      case .timeout: .timeout
      }
  }

  /// From the core's decision.
  init(_ cause: EndingCause) {
    self =
      switch cause {
      case .answer: .error
      case .request: .cancelled
      case .timeout: .timeout
      case .workerDied: .workerDied
      case .mayHaveBegun: .mayHaveBegun
      case .violation: .violation
      case .quarantined: .quarantined
      case .dependency: .dependency
      case .member: .member
      case .noWorker: .noWorker
      case .unservedKind: .unservedKind
      case .condition: .condition
      case .input: .input
      }
  }
}

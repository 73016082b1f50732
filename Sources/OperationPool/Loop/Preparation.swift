package import PoolCore
package import PoolModel

/// The result of preparing an operation.
package enum Preparation: Sendable {
  /// It may be executed.
  case ready
  /// It settles like this, without being executed.
  case ended(PoolEnding, EndingCause, AttemptReport)
}

extension Preparation {
  /// Prepares inputs, which may take long.
  init(of inputs: [OperationInput]) {
    do throws(InputFailure) {
      for input in inputs { try input.prepare() }
      self = .ready
    } catch {
      self = .ended(.failed, .input, AttemptReport(note: error.description))
    }
  }
}

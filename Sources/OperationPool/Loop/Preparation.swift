package import PoolCore
package import PoolModel

/// What the preparation of an operation came to.
package enum Preparation: Sendable {
  /// It may be executed.
  case ready
  /// It ends like this, without having been executed.
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

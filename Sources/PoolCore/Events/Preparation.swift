package import PoolModel

/// The result of preparing an operation: of evaluating its conditions, and making its inputs ready.
package enum Preparation<Detail: Sendable>: Sendable {
  /// It may be executed.
  case ready
  /// It settles like this, without being executed.
  case ended(PoolEnding, EndingCause, Detail)
}

extension Preparation: Equatable where Detail: Equatable {}
extension Preparation: Hashable where Detail: Hashable {}

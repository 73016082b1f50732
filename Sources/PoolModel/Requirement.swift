/// How a dependency must end for its dependent to execute.
public enum PoolRequirement: UInt8, PoolNamedValue {
  /// Any ending; Foundation's rule.
  case finished = 0
  /// It must succeed.
  case succeeded = 1
  /// It must end in any way but `succeeded`, `cancelled` and `skipped`.
  case failed = 2
  /// It must be cancelled.
  case cancelled = 3

  /// The requirement's name, such as `succeeded`.
  public var name: String {
    switch self {
    case .finished: "finished"
    case .succeeded: "succeeded"
    case .failed: "failed"
    case .cancelled: "cancelled"
    }
  }

  /// Whether a dependency with this ending lets its dependent execute.
  public func isMet(by ending: PoolEnding) -> Bool {
    switch self {
    case .finished: true
    case .succeeded: ending == .succeeded
    case .failed: ending.isFailure
    case .cancelled: ending == .cancelled
    }
  }
}

package import PoolModel

extension TaskPriority {
  /// The priority of a task that executes an operation of this class.
  ///
  /// The class `default` has one, too: without it, a task that the main thread makes has a high one.
  package init(_ qualityOfService: PoolQualityOfService) {
    switch qualityOfService {
    case .userInteractive, .userInitiated: self = .userInitiated
    case .default: self = .medium
    case .utility: self = .utility
    case .background: self = .background
    }
  }
}

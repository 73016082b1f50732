package import PoolModel

extension TaskPriority {
  /// The priority of a task that executes an operation of this class.
  ///
  /// The class `default` has a priority, too: without one, a task made by the main thread has a
  /// high one.
  package init(_ qualityOfService: PoolQualityOfService) {
    switch qualityOfService {
    case .userInteractive, .userInitiated: self = .userInitiated
    case .default: self = .medium
    case .utility: self = .utility
    case .background: self = .background
    }
  }
}

/// The order of ready operations of one priority that were added together.
public enum PoolSchedulingPolicy: String, Hashable, Sendable, CaseIterable {
  /// The order in which they were added.
  case submission = "submission"
  /// The most remaining work first: the operation's own, and that of its longest chain of
  /// dependents.
  ///
  /// So the longest chain of a graph does not begin last, with nothing left to execute beside it.
  case criticalPath = "critical-path"
}

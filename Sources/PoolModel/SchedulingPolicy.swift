/// What comes first among ready operations of one priority that were added together.
public enum PoolSchedulingPolicy: String, Hashable, Sendable, CaseIterable {
  /// What was added first.
  case submission = "submission"
  /// What has the most work ahead: its own, and the longest chain of those that wait for it.
  ///
  /// So the longest chain of a graph is not begun last, when nothing is left to execute beside it.
  case criticalPath = "critical-path"
}

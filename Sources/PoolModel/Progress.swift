/// The progress of an executing operation, in units of its choice.
public struct PoolProgress: Hashable, Sendable {
  /// Number of units that are done.
  public var completed: Int64
  /// Total number of units; 0 if the operation does not know it.
  public var total: Int64

  /// Makes a progress.
  public init(completed: Int64, total: Int64) {
    self.completed = completed
    self.total = total
  }

  /// The part that is done, from 0 to 1; nil if the total is unknown.
  public var fraction: Double? {
    total > 0 ? min(max(Double(completed) / Double(total), 0), 1) : nil
  }
}

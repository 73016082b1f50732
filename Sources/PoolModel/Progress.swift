/// How far an executing operation has come, in units of its own choice.
public struct PoolProgress: Hashable, Sendable {
  /// Units that are done.
  public var completed: Int64
  /// Units that there are; 0 where the operation does not know.
  public var total: Int64

  /// Makes a progress.
  public init(completed: Int64, total: Int64) {
    self.completed = completed
    self.total = total
  }

  /// The part that is done, from 0 to 1; nil where the total is not known.
  public var fraction: Double? {
    total > 0 ? min(max(Double(completed) / Double(total), 0), 1) : nil
  }
}

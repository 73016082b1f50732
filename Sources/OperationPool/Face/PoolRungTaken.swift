public import PoolModel

/// A step that was taken to make an operation end.
public struct PoolRungTaken: Hashable, Sendable {
  /// What was done.
  public let rung: PoolTerminationLadder.Rung
  /// When, in seconds since the process first used a pool.
  public let at: Double
}

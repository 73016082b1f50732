public import PoolModel

/// A step that was taken to make an operation end.
public struct PoolTeardownStepTaken: Hashable, Sendable {
  /// What was done.
  public let action: PoolTeardownSequence.Action
  /// When, in seconds since the process first used a pool.
  public let at: Double

  package init(action: PoolTeardownSequence.Action, at seconds: Double) {
    self.action = action
    at = seconds
  }
}

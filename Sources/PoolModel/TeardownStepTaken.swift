/// A step that was taken to end an operation.
public struct PoolTeardownStepTaken: Hashable, Sendable {
  /// The action.
  public let action: PoolTeardownSequence.Action
  /// When, as the time since the process first used a pool.
  public let at: Duration

  package init(action: PoolTeardownSequence.Action, at time: Duration) {
    self.action = action
    at = time
  }
}

/// How to end an executing operation: steps, each with a grace.
///
/// After the last step nothing is left to try, so its grace is not used.
public struct PoolTeardownSequence: Hashable, Sendable {
  /// The action of a step.
  public enum Action: Hashable, Sendable {
    /// Asks the operation to stop; if it cannot be asked, the next step follows at once.
    case message
    /// Sends this signal to the operation's process group, or to its worker.
    case signal(Int32)
  }

  /// One step of the teardown sequence.
  public struct Step: Hashable, Sendable {
    /// The action.
    public var action: Action
    /// Milliseconds for the operation to end before the next step.
    public var graceMilliseconds: Int

    /// Makes a step.
    public init(_ action: Action, graceMilliseconds: Int) {
      self.action = action
      self.graceMilliseconds = graceMilliseconds
    }
  }

  /// The steps in order.
  public var steps: [Step]

  /// Makes a sequence of these steps.
  public init(steps: [Step]) {
    self.steps = steps
  }

  /// A request, 2 s; SIGTERM (15), 1 s; SIGKILL (9).
  public static let standard = Self(steps: [
    Step(.message, graceMilliseconds: 2_000),
    Step(.signal(15), graceMilliseconds: 1_000),
    Step(.signal(9), graceMilliseconds: 0),
  ])

  /// SIGKILL (9) at once.
  public static let immediate = Self(steps: [Step(.signal(9), graceMilliseconds: 0)])
}

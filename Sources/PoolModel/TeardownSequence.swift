/// How an executing operation is made to end: steps, each with the time it is given.
///
/// After the last step there is nothing left to try, so its grace is not used.
public struct PoolTeardownSequence: Hashable, Sendable {
  /// What a step does.
  public enum Action: Hashable, Sendable {
    /// The operation is asked to stop; one that cannot be asked passes on to the next step at once.
    case message
    /// The operation's process group, or its worker, is sent this signal.
    case signal(Int32)
  }

  /// One step of the teardown sequence.
  public struct Step: Hashable, Sendable {
    /// What is done.
    public var action: Action
    /// How long the operation has to end before the next step, in milliseconds.
    public var graceMilliseconds: Int

    /// Makes a step.
    public init(_ action: Action, graceMilliseconds: Int) {
      self.action = action
      self.graceMilliseconds = graceMilliseconds
    }
  }

  /// The steps, in the order in which they are taken.
  public var steps: [Step]

  /// Makes a teardown sequence of steps.
  public init(steps: [Step]) {
    self.steps = steps
  }

  /// Asked, 2 s; SIGTERM (15), 1 s; SIGKILL (9).
  public static let standard = Self(steps: [
    Step(.message, graceMilliseconds: 2_000),
    Step(.signal(15), graceMilliseconds: 1_000),
    Step(.signal(9), graceMilliseconds: 0),
  ])

  /// SIGKILL (9) at once.
  public static let immediate = Self(steps: [Step(.signal(9), graceMilliseconds: 0)])
}

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
    /// The grace in milliseconds, as it is sent to workers.
    package var graceMilliseconds: Int

    /// The time for the operation to end before the next step, in whole milliseconds.
    ///
    /// A fraction counts as one more; nothing is below zero.
    public var grace: Duration {
      get { .milliseconds(graceMilliseconds) }
      set { graceMilliseconds = Self.milliseconds(newValue) }
    }

    /// Makes a step.
    public init(_ action: Action, grace: Duration = .zero) {
      self.init(action, graceMilliseconds: Self.milliseconds(grace))
    }

    package init(_ action: Action, graceMilliseconds: Int) {
      self.action = action
      self.graceMilliseconds = graceMilliseconds
    }

    private static func milliseconds(_ grace: Duration) -> Int {
      let (count, rest) = Int64.nanoseconds(of: grace).quotientAndRemainder(dividingBy: 1_000_000)
      return Int(count) + (rest > 0 ? 1 : 0)
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

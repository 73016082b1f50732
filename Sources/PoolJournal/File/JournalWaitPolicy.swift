/// How long to wait for a journal that guardians of an earlier run keep.
///
/// A run that was killed leaves its guardians for at most two and a half seconds, unless they are
/// stopped.
struct JournalWaitPolicy {
  /// Such a guardian, as it is now.
  struct State: Hashable {
    /// Its number, or -1.
    var process: Int32
    var isStopped: Bool

    init(_ process: Int32, isStopped: Bool) {
      self.process = process
      self.isStopped = isStopped
    }
  }

  /// The next step while there is one.
  enum Step: Hashable {
    case wait
    /// Tell the user why the run does not begin.
    case say(String)
    case giveUp(JournalError)
  }

  /// Nanoseconds after which the user is told: 1 s.
  private static let patience: Int64 = 1_000_000_000
  /// Nanoseconds after which the run gives up: 10 s.
  private static let limit: Int64 = 10_000_000_000

  private var hasSaid = false

  /// The next step, this many nanoseconds after the beginning.
  mutating func next(_ state: State, after nanoseconds: Int64) -> Step {
    if nanoseconds >= Self.limit {
      return .giveUp(JournalError(.inUse, "\(text(state)); end it, and try again"))
    }
    guard !hasSaid, nanoseconds >= Self.patience else { return .wait }
    hasSaid = true
    return .say("waiting, because \(text(state))")
  }

  private func text(_ state: State) -> String {
    let name = state.process > 0 ? "process \(state.process)" : "a process"
    return
      "\(name)\(state.isStopped ? ", which is stopped," : "") ends what an earlier run has started"
  }
}

/// How long a journal is waited for that processes of an earlier run keep: those that end what it
/// has started.
///
/// A run that was killed leaves them for two and a half seconds at most, where nothing has stopped
/// them.
struct JournalGuardians {
  /// Such a process, as it is now.
  struct State: Hashable {
    /// Its number, or -1.
    var process: Int32
    var isStopped: Bool

    init(_ process: Int32, isStopped: Bool) {
      self.process = process
      self.isStopped = isStopped
    }
  }

  /// What to do while there is one.
  enum Step: Hashable {
    case wait
    /// Says why the run does not begin.
    case say(String)
    case giveUp(JournalError)
  }

  /// After which time people are told: 1 s.
  private static let patience: Int64 = 1_000_000_000
  /// After which time the journal is given up: 10 s.
  private static let limit: Int64 = 10_000_000_000

  private var hasSaid = false

  /// Says what to do when so many nanoseconds have passed since the beginning.
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

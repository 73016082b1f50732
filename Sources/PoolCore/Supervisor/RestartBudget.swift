/// How many workers of a sort may die in a row without any work done.
///
/// Counted against work and not against time: however slowly workers die, or do not greet, there is
/// an end to it; and as long as operations are finished, there is none. Erlang/OTP's supervisors
/// count within a period instead (`supervisor.erl`, `add_restart`), which deaths that take long
/// never fill.
struct RestartBudget: Hashable, Sendable {
  /// How many may die so.
  let limit: Int
  private var deaths = 0
  private var workDone = 0

  init(limit: Int) {
    self.limit = limit
  }

  /// Counts a death; false when it is one too many since anything was finished.
  mutating func allowsRestart(afterWork work: Int) -> Bool {
    if work != workDone { (deaths, workDone) = (0, work) }
    deaths += 1
    return deaths <= limit
  }

  /// So many deaths have another explanation.
  mutating func discount(_ count: Int) {
    deaths = max(deaths - count, 0)
  }
}

/// How many workers of a configuration may die in a row without any operation answered.
///
/// It counts work, not time: however slowly workers die or fail to greet, restarts end; and as long
/// as operations are finished, they continue. Erlang/OTP's supervisors count deaths within a period
/// instead (`supervisor.erl`, `add_restart`), a limit that slow deaths never reach.
struct RestartBudget: Hashable, Sendable {
  /// Maximum number of such deaths.
  let limit: Int
  private var deaths = 0
  private var workDone = 0

  init(limit: Int) {
    self.limit = limit
  }

  /// Counts a death; returns false if the limit since the last answered operation is exceeded.
  mutating func allowsRestart(afterWork work: Int) -> Bool {
    if work != workDone { (deaths, workDone) = (0, work) }
    deaths += 1
    return deaths <= limit
  }

  /// Takes back deaths that have another explanation.
  mutating func discount(_ count: Int) {
    deaths = max(deaths - count, 0)
  }
}

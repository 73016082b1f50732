package import PoolModel

/// At most so many restarts in any period of so long: a sliding window, as Erlang/OTP's
/// supervisors keep it (`supervisor.erl`, `add_restart`).
package struct RestartIntensity: Hashable, Sendable {
  /// How many restarts are allowed within the period.
  package var limit: Int
  /// The window, in nanoseconds.
  package var period: Int64

  private var restarts: [Instant] = []

  package init(limit: Int, period: Int64) {
    self.limit = limit
    self.period = period
  }

  /// Counts a restart; false when it is one too many within the period.
  package mutating func allowsRestart(at now: Instant) -> Bool {
    restarts.removeAll { $0.advanced(by: period) < now }
    restarts.append(now)
    return restarts.count <= limit
  }

  /// Begins to count anew.
  package mutating func reset() {
    restarts.removeAll()
  }
}

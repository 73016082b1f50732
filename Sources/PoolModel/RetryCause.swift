/// Why an attempt did not succeed, for the decision whether to try again.
///
/// Operations that failed before they could execute, and quarantined ones, are not tried again.
public enum PoolRetryCause: UInt8, PoolNamedValue {
  /// A command exited with a code other than 0.
  case exit = 0
  /// A signal that the pool did not send ended a command.
  case signal = 1
  /// The operation threw an error, or reported a failure.
  case error = 2
  /// A command could not be started.
  case spawn = 3
  /// It executed for longer than its timeout.
  case timeout = 4
  /// Its worker died.
  case workerDied = 5
  /// Its worker violated the protocol.
  case violation = 6

  /// The cause's name, which is also that of the failure, such as `workerDied`.
  public var name: String {
    switch self {
    case .exit: "exit"
    case .signal: "signal"
    case .error: "error"
    case .spawn: "spawn"
    case .timeout: "timeout"
    case .workerDied: "workerDied"
    case .violation: "violation"
    }
  }
}

/// Why an attempt did not succeed, as far as a retry depends on it.
package struct RetryReason: Hashable, Sendable {
  package var cause: PoolRetryCause
  /// The exit code of a command; 0 for another cause.
  package var exitCode: Int16

  @inlinable package init(_ cause: PoolRetryCause, exitCode: Int32 = 0) {
    self.cause = cause
    self.exitCode = Int16(clamping: exitCode)
  }

  package static let exit = Self(.exit)
  // Computed, because each access to a stored one asks whether it was initialised.
  @inlinable package static var error: Self { Self(.error) }
  package static let spawn = Self(.spawn)
}

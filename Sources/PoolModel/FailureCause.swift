/// Why an operation did not succeed; the raw value is the word in the command's results.
public enum PoolFailureCause: String, Hashable, Sendable, CaseIterable {
  /// A command exited with a code other than 0.
  case exit = "exit"
  /// A signal that the pool did not send ended a command.
  case signal = "signal"
  /// The operation threw an error, or its worker reported a failure.
  case error = "error"
  /// A command, or the thread of a block, could not be started.
  case spawn = "spawn"
  /// A command's output has more bytes than its limit.
  case outputLimit = "outputLimit"
  /// It executed for longer than its timeout.
  case timeout = "timeout"
  /// It was cancelled.
  case cancelled = "cancelled"
  /// Its worker died.
  case workerDied = "workerDied"
  /// The link to its worker ended: it may have begun there, and may be executed still.
  case mayHaveBegun = "mayHaveBegun"
  /// Its worker violated the protocol.
  case violation = "violation"
  /// Too many workers died while they executed it or were about to.
  case quarantined = "quarantined"
  /// A dependency did not meet the operation's requirement.
  case dependency = "dependency"
  /// No worker that serves its kind could be kept alive.
  case noWorker = "noWorker"
  /// No worker serves its kind.
  case unservedKind = "unservedKind"
  /// A condition does not hold.
  case condition = "condition"
  /// An input could not be made from the result of an operation.
  case input = "input"
  /// A member of the group did not succeed.
  case member = "member"
}

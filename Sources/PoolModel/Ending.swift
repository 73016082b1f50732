/// The six ways in which an operation can end.
public enum PoolEnding: UInt8, PoolNamedValue {
  /// It executed and reported success.
  case succeeded = 0
  /// It executed and reported failure, or could not be executed: its worker lacked something, no
  /// worker serves it, or its input could not be made.
  case failed = 1
  /// It was cancelled before or while it executed.
  case cancelled = 2
  /// It executed for longer than its timeout.
  case timedOut = 3
  /// Its worker died, or broke the protocol, while it executed.
  case lost = 4
  /// It never executed, because a dependency did not end as it required, or a condition did not
  /// hold.
  case skipped = 5

  /// The name used in results, such as `timedOut`.
  public var name: String {
    // Without reflection, whose first use takes 0.8 ms.
    switch self {
    case .succeeded: "succeeded"
    case .failed: "failed"
    case .cancelled: "cancelled"
    case .timedOut: "timedOut"
    case .lost: "lost"
    case .skipped: "skipped"
    }
  }

  /// Whether an execution went wrong: it failed, took too long or was lost.
  @inlinable public var isFailure: Bool {
    switch self {
    case .failed, .timedOut, .lost: true
    case .succeeded, .cancelled, .skipped: false
    }
  }

  /// All endings with `isFailure`.
  public static let failures = allCases.filter(\.isFailure)

  /// Whether this ending of a member counts more for its group than another one's.
  package func isGraver(than other: Self) -> Bool { gravity > other.gravity }

  /// The ending of a group in which this is the gravest of a member.
  package var ofGroup: Self { isFailure ? .failed : self }

  private var gravity: Int {
    switch self {
    case .succeeded: 0
    case .skipped: 1
    case .cancelled: 2
    case .failed, .timedOut, .lost: 3
    }
  }
}

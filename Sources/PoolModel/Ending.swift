/// The six ways in which an operation can end.
public enum PoolEnding: UInt8, Sendable, CaseIterable {
  /// It executed and reported success.
  case succeeded = 0
  /// It executed, or could not be started, and reported failure.
  case failed = 1
  /// It was cancelled before or while it executed.
  case cancelled = 2
  /// It executed for longer than its timeout.
  case timedOut = 3
  /// Its worker died, or broke the protocol, while it executed.
  case lost = 4
  /// A dependency did not end as this operation required, so that it never executed.
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

/// How a dependency must end for its dependent to execute.
public enum PoolRequirement: UInt8, Sendable, CaseIterable {
  /// Any ending; Foundation's rule.
  case finished = 0
  /// It must succeed.
  case succeeded = 1
  /// It must end in any way but `succeeded`, `cancelled` and `skipped`.
  case failed = 2
  /// It must be cancelled.
  case cancelled = 3

  /// The requirement from a name, such as `succeeded`.
  public init?(name: String) {
    guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = match
  }

  /// The requirement's name, such as `succeeded`.
  public var name: String {
    switch self {
    case .finished: "finished"
    case .succeeded: "succeeded"
    case .failed: "failed"
    case .cancelled: "cancelled"
    }
  }

  /// Whether a dependency with this ending lets its dependent execute.
  public func isMet(by ending: PoolEnding) -> Bool {
    switch self {
    case .finished: true
    case .succeeded: ending == .succeeded
    case .failed: ending.isFailure
    case .cancelled: ending == .cancelled
    }
  }
}

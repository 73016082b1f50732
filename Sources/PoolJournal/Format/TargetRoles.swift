/// What a run leaves its values in: its output streams, its results, its job log.
@usableFromInline package struct TargetRoles: OptionSet, Hashable, Sendable {
  @usableFromInline package let rawValue: UInt8

  @inlinable package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Whether it has a role; that of `OptionSet` costs 300 instructions in other modules.
  @inlinable package func contains(_ role: Self) -> Bool { rawValue & role.rawValue != 0 }

  @inlinable package var isEmpty: Bool { rawValue == 0 }

  /// No target; a literal `[]` costs 800 instructions in other modules.
  @inlinable package static var none: Self { Self(rawValue: 0) }
  /// The standard output and error streams.
  @inlinable package static var streams: Self { Self(rawValue: 1) }
  /// The file or the folder of results.
  @inlinable package static var results: Self { Self(rawValue: 2) }
  @inlinable package static var jobLog: Self { Self(rawValue: 4) }

  /// Each role alone.
  package static let each: [Self] = [.streams, .results, .jobLog]

  /// What the target of a role is called in messages.
  package var name: String {
    switch self {
    case .streams: "the standard output"
    case .jobLog: "the job log"
    default: "the results"
    }
  }

  /// What a file of the role is called in messages.
  var file: String { self == .jobLog ? "a job log" : "a file of results" }
}

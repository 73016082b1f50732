/// What a run leaves its values in: its output streams, its results, its job log.
package struct TargetRoles: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// No target; a literal `[]` costs 800 instructions in other modules.
  package static var none: Self { Self(rawValue: 0) }
  /// The standard output and error streams.
  package static let streams = Self(rawValue: 1)
  /// The file or the folder of results.
  package static let results = Self(rawValue: 2)
  package static let jobLog = Self(rawValue: 4)

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

import PoolJournal

/// Lines that a run writes to a target of their own, and all that tells them from others: one case for
/// each option that names such a target.
enum TargetLines: UInt8, CaseIterable, Hashable, Sendable {
  case results
  case jobLog

  /// The option that names the target.
  var option: String {
    switch self {
    case .results: "--results"
    case .jobLog: "--joblog"
    }
  }

  /// What the lines are called in messages.
  var name: String { role.name }

  /// The target in a journal.
  var role: TargetRoles {
    switch self {
    case .results: .results
    case .jobLog: .jobLog
    }
  }

  /// The first line of a new target; empty if it has none.
  var header: [UInt8] {
    switch self {
    case .results: []
    case .jobLog: JobLogLine.header
    }
  }

  /// How a file of such lines begins.
  var start: [UInt8] { header.isEmpty ? [UInt8(ascii: "{")] : header }

  /// Whether a folder may take what the lines tell.
  var mayBeFolder: Bool { self == .results }

  /// The target that the user has named.
  func path(_ options: SharedOptions) -> [UInt8]? {
    switch self {
    case .results: options.results
    case .jobLog: options.jobLog?.path
    }
  }

  /// Whether an existing file is continued; a journal may have been used by earlier runs.
  func isContinued(_ options: SharedOptions, _ journal: RunJournal?) -> Bool {
    switch self {
    case .results: journal?.isContinued == true
    case .jobLog: options.jobLog?.isAppended == true || options.journal.opening.continues
    }
  }

  /// Whether a line, without its end, is that of an operation of a journal's run.
  func isOwn(_ line: [UInt8], _ own: OwnLines) -> Bool {
    switch self {
    case .results: own.hasResult(line)
    case .jobLog: own.hasLog(line)
    }
  }
}

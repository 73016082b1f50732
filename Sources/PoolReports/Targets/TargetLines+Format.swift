import PoolEvents
import PoolJournal

// How files of lines look, and go on.

extension TargetLines {
  /// The first line of a new target; empty if it has none.
  package var header: [UInt8] { self == .jobLog ? JobLogLine.header : [] }

  /// How a file of such lines begins.
  package var start: [UInt8] {
    switch self {
    case .jobLog: JobLogLine.header
    case .events: RunRecord.fileStart
    default: [UInt8(ascii: "{")]
    }
  }

  /// Whether a line, without its end, is that of an operation of a journal's run.
  package func isOwn(_ line: [UInt8], _ own: OwnLines) -> Bool {
    switch self {
    case .results: own.hasResult(line)
    case .jobLog: own.hasLog(line)
    default: false
    }
  }
}

import PoolJournal
import PoolReports

extension TargetLines {
  /// Whether an existing file is continued; a journal may have been used by earlier runs.
  func isContinued(_ options: SharedOptions, _ journal: RunJournal?) -> Bool {
    switch self {
    case .results: journal?.isContinued == true
    case .jobLog: options.jobLog?.isAppended == true || options.journal.opening.continues
    default: options.journal.opening.continues
    }
  }
}

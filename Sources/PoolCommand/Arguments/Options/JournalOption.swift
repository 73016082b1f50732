import PoolInputs
import PoolReports

/// The options for journals and their continuation.
enum JournalOption: CaseIterable {
  case journal
  case durability
  case resume
  case resumeFailed
  case rerun
  case sameFolder
  case salvage

  var row: OptionRow {
    switch self {
    case .journal:
      OptionRow("--journal FILE", "keep each outcome in a journal; a new file, or --resume")
    case .durability:
      OptionRow("--durability WHEN", "when outcomes are synced: none, 50ms, operation (50ms)")
    case .resume:
      OptionRow("--resume", "continue a journal: execute operations that it does not have")
    case .resumeFailed:
      OptionRow("--resume-failed", "like --resume; what did not succeed is executed again")
    case .rerun:
      OptionRow(
        "--rerun ID",
        """
        like --resume; the operation with this id is executed again, and all that depends on it; \
        may be repeated
        """
      )
    case .sameFolder:
      OptionRow(
        "--same-folder",
        "continue a journal of another folder: outcomes of commands that were executed there count"
      )
    case .salvage:
      OptionRow("--salvage", "continue a damaged journal without its unreadable parts")
    }
  }
}

extension SharedOptions {
  /// Stores the value of an option.
  mutating func set(_ option: JournalOption, to value: OptionValue) throws(UsageError) {
    switch option {
    case .journal: journal.path = try value.path()
    case .durability: journal.durability = try value.durability()
    case .resume: journal.resumes = true
    case .resumeFailed: journal.resumesFailed = true
    case .rerun: journal.reruns.insert(try value.identifier())
    case .sameFolder: journal.takesOtherFolders = true
    case .salvage: journal.salvages = true
    }
  }
}

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
      OptionRow(
        "--journal FILE",
        """
        keep each outcome in a journal, from which --resume continues. FILE must be new, unless \
        a journal is continued
        """
      )
    case .durability:
      OptionRow(
        "--durability WHEN",
        """
        when the journal is synced to the disk: none (never), 50ms (at most so long after an \
        outcome), operation (before each outcome counts) (50ms)
        """
      )
    case .resume:
      OptionRow(
        "--resume",
        """
        continue a journal: execute only operations whose outcome it does not have
        """
      )
    case .resumeFailed:
      OptionRow(
        "--resume-failed",
        """
        like --resume, and execute again what did not succeed
        """
      )
    case .rerun:
      OptionRow(
        "--rerun ID",
        """
        like --resume, and execute the operation with this id again, and all that depends on it; \
        may be repeated
        """
      )
    case .sameFolder:
      OptionRow(
        "--same-folder",
        """
        continue a journal whose commands were executed in another folder
        """
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

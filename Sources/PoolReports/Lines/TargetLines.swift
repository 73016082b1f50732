package import PoolInputs
package import PoolJournal

/// Lines that a run writes to a target of their own, and all that tells them from others: one case for
/// each option that names such a target.
package enum TargetLines: UInt8, CaseIterable, Hashable, Sendable {
  case results
  case jobLog
  case events

  /// The option that names the target.
  package var row: OptionRow {
    switch self {
    case .results:
      OptionRow(
        "--results NAME",
        """
        write a JSON line for each operation that has ended into a file; - is standard output. \
        An existing folder, or DIR/, gets each output as a file of its own instead, as in GNU \
        parallel, and none is printed. An existing file is replaced, unless --resume continues it
        """
      )
    case .jobLog:
      OptionRow(
        "--joblog FILE",
        """
        write a line for each operation that has executed, in the format of GNU parallel, whose \
        --resume can read it; +FILE, or --resume with a journal, adds to an existing file, which \
        is replaced otherwise; - is standard output
        """
      )
    case .events:
      OptionRow(
        "--events FILE",
        """
        write what happens, as lines of JSON: operations, each attempt with its worker, its times \
        and its cause, retries, outcomes, workers, and the run's beginning and end; fd:N is an \
        inherited descriptor, - standard output. A file with content is refused, unless --resume \
        continues it
        """
      )
    }
  }

  /// The option as it is written.
  package var option: String { "--" + (row.name ?? "") }

  /// What the lines are called in messages.
  package var name: String { role?.name ?? "the \(row.name ?? "lines")" }

  /// The target in a journal, which notes who has which value; nil for lines that tell of one run alone.
  package var role: TargetRoles? {
    switch self {
    case .results: .results
    case .jobLog: .jobLog
    default: nil
    }
  }

  /// Whether a folder may take what the lines tell.
  package var mayBeFolder: Bool { self == .results }
}

package import PoolInputs
package import PoolJournal

/// Lines that a run writes to a target of their own, and all that tells them from others: one case
/// for each option that names such a target.
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
        write a line of JSON into the file NAME for each operation that has ended; - is standard \
        output. If NAME is an existing folder or ends in a slash, each output becomes a file in \
        that folder, as in GNU parallel, and none is printed. An existing file is replaced, \
        unless --resume continues it
        """
      )
    case .jobLog:
      OptionRow(
        "--joblog FILE",
        """
        write a line for each operation that has executed, in the format of GNU parallel, whose \
        --resume can read it. An existing file is replaced; +FILE, or --resume with a journal, \
        adds to it. - is standard output
        """
      )
    case .events:
      OptionRow(
        "--events FILE",
        """
        write what happens, as lines of JSON: operations, each attempt with its worker, times \
        and cause, retries, outcomes, workers, and the beginning and end of the run. fd:N is an \
        inherited descriptor, - is standard output. A file with content is refused, unless \
        --resume continues it
        """
      )
    }
  }

  /// The option as it is written.
  package var option: String { "--" + (row.name ?? "") }

  /// What the lines are called in messages.
  package var name: String { role?.name ?? "the \(row.name ?? "lines")" }

  /// The target in a journal, which notes who has which value; nil for lines that tell of one run
  /// alone.
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

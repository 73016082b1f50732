/// The options of `opool run` and `opool map`.
///
/// Parsing and help go by this table: an option without a row in it, or that no reader applies, does
/// not compile.
enum Option: CaseIterable {
  case width
  case keepOrder
  case order
  case history
  case dryRun
  case retries
  case retryOn
  case retryDelay
  case timeout
  case deadline
  case teardown
  case heartbeat
  case chaos
  case seed
  case results
  case worker
  case journal
  case resume
  case resumeFailed
  case salvage
  case durability
  case quiet
  case verbose
  case progress
  case noProgress
  case help
  case version

  /// What there is to know of an option.
  struct Row {
    /// The name after two dashes.
    var name: String?
    /// The letter after one dash.
    var letter: Character?
    /// What its value is called, where it takes one.
    var valueName: String?
    /// What the help says of it.
    var help: String

    /// Makes a row from how the help spells the option, such as `-k, --keep-order` or `--order ORDER`.
    init(_ spelling: String, _ help: String) {
      for word in spelling.split(whereSeparator: { $0 == " " || $0 == "," }) {
        if word.hasPrefix("--") {
          name = String(word.dropFirst(2))
        } else if word.hasPrefix("-") {
          letter = word.last
        } else {
          valueName = String(word)
        }
      }
      self.help = help
    }
  }

  /// What there is to know of the option.
  var row: Row {
    switch self {
    case .width:
      Row(
        "-j N",
        """
        operations that execute at once, 1 to 10000 (cores: those that opool may run on, or as \
        many as its cgroup's quota keeps busy, where that is less)
        """
      )
    case .keepOrder: Row("-k, --keep-order", "print outputs in the order of the input")
    case .order:
      Row(
        "--order ORDER",
        """
        what comes first in one priority: submission, or critical-path, the most work ahead: its \
        own time and the longest chain that waits for it (submission)
        """
      )
    case .history:
      Row(
        "--history FILE",
        """
        the journal of an earlier run, which knows how long operations take, for --order \
        critical-path; those it does not know count as expected, or as the mean
        """
      )
    case .dryRun: Row("-n, --dry-run", "check and plan only; with -q only the verdict")
    case .retries: Row("--retries N", "extra attempts, where an operation does not say (0)")
    case .retryOn:
      Row(
        "--retry-on CAUSES",
        """
        make them only after these, separated by commas: exit, signal, error, spawn, timeout, \
        workerDied, violation (all)
        """
      )
    case .retryDelay:
      Row(
        "--retry-delay S",
        """
        seconds before the first extra attempt, doubled for each further one, up to an hour (0)
        """
      )
    case .timeout:
      Row(
        "--timeout S",
        """
        seconds of execution for each attempt, where an operation does not say (none); or, as \
        200%, a share of the median of the executions that succeeded, once there are three
        """
      )
    case .deadline:
      Row(
        "--deadline S",
        """
        seconds for the whole run, with the wait for its manifest; then all is made to end, and \
        the exit code is 124 (none)
        """
      )
    case .teardown:
      Row(
        "--term-seq STEPS",
        """
        how operations are made to end, where one does not say: MESSAGE (ask, where it can be \
        asked), signals, KILL last, and milliseconds between the steps \
        (MESSAGE,2000,TERM,1000,KILL)
        """
      )
    case .heartbeat:
      Row(
        "--heartbeat S",
        """
        a worker that executes and says nothing for so many seconds is asked, and killed after \
        as many again (10, then 30); one that stops within a frame is killed after S seconds \
        (10)
        """
      )
    case .chaos:
      Row(
        "--chaos RATES",
        """
        make faults on purpose, to see what a run survives: kill, stop or garble a worker at so \
        many executions, fail so many spawns, such as kill=1%,stop=0.1%,garble=0.1%,spawnfail=2%
        """
      )
    case .seed: Row("--seed N", "the number that the faults follow from (0)")
    case .results:
      Row(
        "--results FILE",
        """
        write a JSON line for each operation that ended; - is the standard output
        """
      )
    case .worker:
      Row(
        "--worker N:COMMAND",
        """
        N workers started by COMMAND; may be repeated. Where all have greeted, and none serves \
        commands, those are executed by standard workers beside them
        """
      )
    case .journal: Row("--journal FILE", "keep each outcome in a journal, which must be new")
    case .durability:
      Row("--durability WHEN", "when outcomes are on the disk: none, 50ms, operation")
    case .resume: Row("--resume", "continue a journal: execute what it does not know")
    case .resumeFailed: Row("--resume-failed", "likewise, and again what did not succeed")
    case .salvage: Row("--salvage", "continue a damaged journal without what is unreadable")
    case .quiet: Row("-q, --quiet", "print nothing about the run but errors")
    case .verbose: Row("-v, --verbose", "say what happens")
    case .progress:
      Row(
        "--progress",
        """
        keep a line that says how far the run is: the default where the standard error is the \
        terminal that opool has in the foreground, TERM is not dumb, and the standard output is \
        no pipe (to a pager, which would use the terminal, too); with --progress also with a \
        pipe, as in opool … | tee log, or with -q; 5/12+ and 1:30+ mean that it may be more
        """
      )
    case .noProgress: Row("--no-progress", "keep none")
    case .help: Row("-h, --help", "print this text")
    case .version: Row("--version", "print the version")
    }
  }

  var name: String? { row.name }
  var letter: Character? { row.letter }
  var valueName: String? { row.valueName }

  /// As it is written on the command line.
  var spelling: String {
    name.map { "--" + $0 } ?? letter.map { "-\($0)" } ?? ""
  }

  static func named(_ name: String) -> Self? {
    allCases.first { $0.name == name }
  }

  static func lettered(_ letter: UInt8) -> Self? {
    allCases.first { $0.letter?.asciiValue == letter }
  }
}

/// The options of `opool run` and `opool map`.
///
/// Parsing and help use this table. An option without a row here, or without a case in
/// `OptionReader`, does not compile.
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
  case halt
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

  /// The name, value and help of an option.
  struct Row {
    /// The name after two dashes.
    var name: String?
    /// The letter after one dash.
    var letter: Character?
    /// The name of its value in the help; nil for an option without a value.
    var valueName: String?
    /// Its description in the help.
    var help: String

    /// Parses the spelling in the help, such as `-k, --keep-order` or `--order ORDER`.
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

  /// The option's row of the table.
  var row: Row {
    switch self {
    case .width:
      Row(
        "-j N",
        """
        operations that execute at the same time, 1 to 10000 (the cores that opool may use, or \
        its cgroup's quota, if that is less)
        """
      )
    case .keepOrder: Row("-k, --keep-order", "print outputs in the order of the input")
    case .order:
      Row(
        "--order ORDER",
        """
        order within one priority: submission, or critical-path: first the operation with the \
        longest chain of work, its own duration and that of its dependents (submission)
        """
      )
    case .history:
      Row(
        "--history FILE",
        """
        journal of an earlier run, whose durations --order critical-path uses; operations that \
        it does not have count with their field expected, or with the mean
        """
      )
    case .dryRun: Row("-n, --dry-run", "check and plan only; with -q only the verdict")
    case .retries: Row("--retries N", "extra attempts of operations without the field retries (0)")
    case .retryOn:
      Row(
        "--retry-on CAUSES",
        """
        only after these causes, separated by commas: exit, signal, error, spawn, timeout, \
        workerDied, violation (all)
        """
      )
    case .retryDelay:
      Row(
        "--retry-delay S",
        """
        delay before the first extra attempt in seconds, doubled for each further one, up to an \
        hour (0)
        """
      )
    case .timeout:
      Row(
        "--timeout S",
        """
        seconds for each attempt of operations without the field timeout (none); or a percentage \
        such as 200% of the median of successful executions, once there are three
        """
      )
    case .deadline:
      Row(
        "--deadline S",
        """
        seconds for the whole run, including the wait for its manifest; then all operations are \
        torn down, and the exit code is 124 (none)
        """
      )
    case .halt:
      Row(
        "--halt WHEN",
        """
        end the run early, as GNU parallel does: now or soon, fail, success or done, and a number \
        or a percentage of all, such as now,fail=1 or soon,done=10%; now tears down what executes, \
        soon finishes it; the exit code is 0 after success, else 1 (never)
        """
      )
    case .teardown:
      Row(
        "--term-seq STEPS",
        """
        teardown sequence of operations without the field termSeq: MESSAGE (ask the worker, if it \
        can be asked), signals, KILL last, with milliseconds between the steps \
        (MESSAGE,2000,TERM,1000,KILL)
        """
      )
    case .heartbeat:
      Row(
        "--heartbeat S",
        """
        a worker that executes and is silent for S seconds gets a ping, and is killed after S \
        more seconds of silence (10, then 30); a worker that stops within a frame is killed \
        after S seconds (10)
        """
      )
    case .chaos:
      Row(
        "--chaos RATES",
        """
        inject faults: the share of executions at which a worker is killed, stopped or garbled, \
        and of spawns that fail, such as kill=1%,stop=0.1%,garble=0.1%,spawnfail=2%
        """
      )
    case .seed: Row("--seed N", "seed of the random faults (0)")
    case .results:
      Row(
        "--results FILE",
        """
        write a JSON line for each operation that has ended; - is standard output
        """
      )
    case .worker:
      Row(
        "--worker N:COMMAND",
        """
        start N workers with COMMAND; may be repeated. If none of them serves commands, standard \
        workers are added, which execute the commands
        """
      )
    case .journal: Row("--journal FILE", "keep each outcome in a journal; a new file, or --resume")
    case .durability:
      Row("--durability WHEN", "when outcomes are synced: none, 50ms, operation (50ms)")
    case .resume: Row("--resume", "continue a journal: execute operations that it does not have")
    case .resumeFailed: Row("--resume-failed", "like --resume, and again what did not succeed")
    case .salvage: Row("--salvage", "continue a damaged journal without its unreadable parts")
    case .quiet: Row("-q, --quiet", "print only errors about the run")
    case .verbose: Row("-v, --verbose", "print what happens")
    case .progress:
      Row(
        "--progress",
        """
        show a progress line: the default if standard error is opool's own terminal, in the \
        foreground, TERM is not dumb, and standard output is not a pipe (a pager would use \
        the terminal, too); --progress shows it also with a pipe, as in opool … | tee log, and \
        with -q; 5/12+ and 1:30+ mean that the number may grow
        """
      )
    case .noProgress: Row("--no-progress", "show no progress line")
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

import PoolInputs
import PoolReports
import PoolSystem

/// The options for outputs, results and reports.
enum OutputOption: CaseIterable, Hashable {
  case keepOrder
  case lineBuffer
  case ungroup
  case outputGrace
  case show
  case tag
  case tagString
  case lines(TargetLines)
  case report
  case junit
  case ci
  case json
  case quiet
  case verbose
  case progress
  case noProgress
  case color
  case progressInterval
  case onEnd

  /// In the order of the help.
  static let allCases: [Self] =
    [.keepOrder, .lineBuffer, .ungroup, .outputGrace, .show, .tag, .tagString]
    + TargetLines.allCases.map(Self.lines)
    + [
      .report, .junit, .ci, .json, .quiet, .verbose, .progress, .noProgress, .color,
      .progressInterval, .onEnd,
    ]

  var row: OptionRow {
    switch self {
    case .keepOrder:
      OptionRow("-k, --keep-order", "print outputs in the order of the input")
    case .lineBuffer:
      OptionRow(
        "--line-buffer",
        aliases: ["lb", "linebuffer"],
        """
        print each line as soon as a command has written it, between lines of other commands \
        (also --lb). With -k, only the first unfinished command in the order prints, and the \
        others print when their turn comes
        """
      )
    case .ungroup:
      OptionRow(
        "-u, --ungroup",
        """
        give commands the output streams of opool itself: opool keeps nothing, and lines of \
        different commands can mix. Output of a --worker is printed as it comes
        """
      )
    case .outputGrace:
      OptionRow(
        "--output-grace TIME",
        """
        when a command has ended, wait for output of the processes that it has left behind, \
        until none has come for TIME (100ms) while none of these processes is runnable, at most \
        ten times as long. 0 takes only what is there. Later output is dropped: redirect that of \
        a daemon, as in daemon >log 2>&1 &
        """
      )
    case .show:
      OptionRow(
        "--show WHICH",
        """
        print the outputs of all operations, of failed ones only, or of none (all). Where \
        nothing is printed, the report of a failure has the end of its output
        """
      )
    case .tag:
      OptionRow(
        "--tag",
        """
        begin each line of output with the input, or the id, of its operation and a tab
        """
      )
    case .tagString:
      OptionRow(
        "--tagstring TEXT",
        """
        like --tag with TEXT in place of the input; TEXT may have placeholders in opool map, and \
        \\t for a tab
        """
      )
    case .lines(let lines): lines.row
    case .report:
      OptionRow(
        "--report FILE",
        """
        when the run ends, also after Ctrl-C, write a page for a browser into FILE: where the \
        time went, why the run took that long, what would have been faster, and all operations. \
        An existing file is replaced. 'opool report --html' makes the same page of a journal, or \
        of the lines of --events
        """
      )
    case .junit:
      OptionRow(
        "--junit FILE",
        """
        when the run ends, also after Ctrl-C, write a file of JUnit's XML, which Jenkins, GitLab \
        and other systems read: each operation is a test case of its last attempt, and each group \
        a suite. It has the ends of outputs: at most 8,000 bytes of each that failed. An existing \
        file is replaced
        """
      )
    case .ci:
      OptionRow(
        "--ci github",
        """
        write for the log of a GitHub workflow. What a failed operation has printed is a group of \
        lines on standard error, the first ten failures are errors on the workflow's page, and a \
        table of failures is added to the file that GITHUB_STEP_SUMMARY names; if that fails, \
        opool says so, and its exit code stays. In what others print, a space breaks each command \
        to the log: ::name:: at the start of a line, and ##[name]
        """
      )
    case .json:
      OptionRow(
        "--json",
        """
        print reports as lines of JSON: the plan of --dry-run; and on standard error the \
        summary, the status after USR1 and the lines of --progress-every
        """
      )
    case .quiet:
      OptionRow("-q, --quiet", "print only errors about the run")
    case .verbose:
      OptionRow("-v, --verbose", "print what happens")
    case .progress:
      OptionRow(
        "--progress[=HOW]",
        """
        show the progress at the end of the terminal: as a block, with what has been executing \
        for a while, the latest failures, and why slots are idle; as one line; or not at all \
        (block, line, none). A block is the default if standard error is the terminal of opool, \
        opool is in the foreground, TERM is not dumb, and standard output is not a pipe, because \
        a pager would use the terminal too. --progress shows the block also with a pipe, as in \
        opool … | tee log, and with -q. In 5/12+ and 1:30+, the plus means that the number may \
        grow
        """
      )
    case .noProgress:
      OptionRow("--no-progress", "the same as --progress=none")
    case .color:
      OptionRow(
        "--color[=WHEN]",
        """
        use colours (auto, always, never): auto uses them on a terminal, unless NO_COLOR is set. \
        Where standard output is a terminal and outputs go there, commands get CLICOLOR_FORCE=1, \
        which makes many programs use colours although they write into a pipe
        """
      )
    case .progressInterval:
      OptionRow(
        "--progress-every TIME",
        """
        where no progress is shown on a terminal, write a line about the progress every TIME while \
        something executes (30s if standard error is no terminal; none with -q or \
        --no-progress); 0 means none
        """
      )
    case .onEnd:
      OptionRow(
        "--on-end COMMAND",
        """
        when the run has ended, execute this line in the shell; what it prints goes to standard \
        error. OPOOL_EXIT_CODE, OPOOL_SUCCEEDED and OPOOL_FAILED have the exit code and the \
        counts of the run. The exit code of opool stays that of the run
        """
      )
    }
  }
}

extension SharedOptions {
  /// Stores the value of an option.
  mutating func set(_ option: OutputOption, to value: OptionValue) throws(UsageError) {
    switch option {
    case .keepOrder: keepsOrder = true
    case .lineBuffer: display.isLineBuffered = true
    case .ungroup: display.isUngrouped = true
    case .outputGrace: display.outputGrace = try value.outputGrace()
    case .show: display.shown = try value.shownOutputs()
    case .tag: display.tag = .input
    case .tagString: display.tag = .literal(value.bytes)
    case .lines(let lines): targets[lines] = try TargetRequest(value, for: lines)
    case .report:
      report = try value.path()
      if report == Array("-".utf8) { throw value.failure("--report needs the name of a file") }
    case .junit:
      junit = try value.path()
      if junit == Array("-".utf8) { throw value.failure("--junit needs the name of a file") }
    case .ci: ci = try value.ci()
    case .json: printsJSON = true
    case .quiet: verbosity = .quiet
    case .verbose: verbosity = .verbose
    case .progress: progress = try value.progressStyle()
    case .noProgress: progress = .hidden
    case .color: color = try value.colorChoice()
    case .progressInterval: progressInterval = try value.nanoseconds(allowingZero: true)
    case .onEnd: endCommand = try value.commandLine()
    }
  }
}

extension OptionValue {
  /// How a terminal shows the progress: a block, if nothing is said.
  fileprivate func progressStyle() throws(UsageError) -> ProgressStyle {
    try named(ProgressStyle.allCases, ifEmpty: .block)
  }

  fileprivate func colorChoice() throws(UsageError) -> ColorChoice {
    try named(ColorChoice.allCases, ifEmpty: .always)
  }

  /// The case with that name.
  private func named<Choice: RawRepresentable<String>>(
    _ choices: [Choice],
    ifEmpty usual: Choice? = nil
  ) throws(UsageError) -> Choice {
    if bytes.isEmpty, let usual { return usual }
    guard let choice = Choice(rawValue: String(decoding: bytes, as: UTF8.self)) else {
      let names = choices.map(\.rawValue).joined(separator: ", ")
      throw failure("\(option.spelling) needs one of \(names)")
    }
    return choice
  }

  fileprivate func shownOutputs() throws(UsageError) -> ShownOutputs {
    try named(ShownOutputs.allCases)
  }

  fileprivate func ci() throws(UsageError) -> ContinuousIntegration {
    guard let system = ContinuousIntegration(rawValue: String(decoding: bytes, as: UTF8.self))
    else {
      let names = ContinuousIntegration.allCases.map(\.rawValue).joined(separator: ", ")
      throw failure("\(option.spelling) knows these systems: \(names)")
    }
    return system
  }

  fileprivate func commandLine() throws(UsageError) -> [UInt8] {
    if bytes.isEmpty { throw failure("\(option.spelling) needs a line for the shell") }
    return bytes
  }

  /// Milliseconds, at most an hour.
  fileprivate func outputGrace() throws(UsageError) -> Int {
    let nanoseconds = try nanoseconds(allowingZero: true)
    guard nanoseconds <= OutputGrace.longest else {
      throw failure("\(option.spelling) is at most an hour")
    }
    // Rounded up, so that only 0 is none.
    return Int((nanoseconds + 999_999) / 1_000_000)
  }
}

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
  case json
  case quiet
  case verbose
  case progress
  case noProgress
  case progressInterval
  case onEnd

  /// In the order of the help.
  static let allCases: [Self] =
    [.keepOrder, .lineBuffer, .ungroup, .outputGrace, .show, .tag, .tagString]
    + TargetLines.allCases.map(Self.lines)
    + [
      .report, .json, .quiet, .verbose, .progress, .noProgress, .progressInterval, .onEnd,
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
        "--progress",
        """
        show a progress line. This is the default if standard error is the terminal of opool, \
        opool is in the foreground, TERM is not dumb, and standard output is not a pipe, because \
        a pager would use the terminal too. --progress shows the line also with a pipe, as in \
        opool … | tee log, and with -q. In 5/12+ and 1:30+, the plus means that the number may \
        grow
        """
      )
    case .noProgress:
      OptionRow("--no-progress", "show no progress line")
    case .progressInterval:
      OptionRow(
        "--progress-every TIME",
        """
        where there is no progress line, write a line about the progress every TIME while \
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
    case .json: printsJSON = true
    case .quiet: verbosity = .quiet
    case .verbose: verbosity = .verbose
    case .progress: progress = true
    case .noProgress: progress = false
    case .progressInterval: progressInterval = try value.nanoseconds(allowingZero: true)
    case .onEnd: endCommand = try value.commandLine()
    }
  }
}

extension OptionValue {
  fileprivate func shownOutputs() throws(UsageError) -> ShownOutputs {
    guard let shown = ShownOutputs(rawValue: String(decoding: bytes, as: UTF8.self)) else {
      let names = ShownOutputs.allCases.map(\.rawValue).joined(separator: ", ")
      throw failure("\(option.spelling) needs one of \(names)")
    }
    return shown
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

import PoolInputs

/// The first word after `opool`: parsing, hints, completions and the manual page use this table.
enum Subcommand: String, CaseIterable {
  case run, map, plan, status, explain, output, cancel, scale, pause, unpause, report, journal
  case checkWorker = "check-worker"
  case doctor, completion, man, help, version

  /// What it does, in a few words.
  var summary: String {
    switch self {
    case .run: "execute the operations of a manifest"
    case .map: "execute a command once for each input"
    case .plan: "check a manifest and show its plan, as run --dry-run does"
    case .status: "which runs there are, how far they are, and what executes"
    case .explain: "what an operation of a run waits for"
    case .output: "what an operation has written so far"
    case .cancel: "cancel operations of a run that goes on"
    case .scale: "change how many operations of a run execute at once"
    case .pause: "let no operation of a run begin"
    case .unpause: "let operations of a run begin again"
    case .report: "what happened in a run, and why it took that long"
    case .journal: "check, print or shrink a journal"
    case .checkWorker: "whether a worker keeps to the protocol"
    case .doctor: "what this machine offers to a run, and lacks"
    case .completion: "print the completions of a shell"
    case .man: "print the manual page"
    case .help: "explain opool, or a subcommand"
    case .version: "print the version"
    }
  }

  /// The words that may follow it; empty where others do.
  var words: [String] {
    switch self {
    case .journal: JournalCommandOptions.Action.allCases.map(\.rawValue)
    case .completion: Shell.allCases.map(\.rawValue)
    case .help: HelpTopic.subcommands.map(\.rawValue)
    case .run, .map, .plan, .status, .explain, .output, .cancel, .scale, .pause, .unpause, .report,
      .checkWorker, .doctor, .man, .version:
      []
    }
  }
}

extension HelpTopic {
  /// The subcommands that a help text is about.
  static let subcommands: [Subcommand] = [
    .run, .map, .status, .explain, .output, .cancel, .report, .journal, .checkWorker,
  ]

  /// The topic of a subcommand's help.
  init(_ subcommand: Subcommand) {
    switch subcommand {
    case .run, .plan: self = .run
    case .map: self = .map
    case .journal: self = .journal
    case .report: self = .report
    case .status: self = .status
    case .explain: self = .explain
    case .output: self = .output
    case .cancel, .scale, .pause, .unpause: self = .steering
    case .checkWorker: self = .checkWorker
    case .doctor, .completion, .man, .help, .version: self = .general
    }
  }
}

extension Subcommand {
  /// Parses the arguments that follow it.
  func parse(_ arguments: [[UInt8]]) throws(UsageError) -> Invocation {
    do throws(UsageError) {
      return try invocation(arguments)
    } catch {
      var error = error
      // One text helps with all subcommands that steer a run: the hint names this one.
      if error.topic == .steering { error.command = "opool \(rawValue)" }
      throw error
    }
  }

  private func invocation(_ arguments: [[UInt8]]) throws(UsageError) -> Invocation {
    switch self {
    case .run: return try RunOptions.parse(arguments)
    case .map: return try MapOptions.parse(arguments)
    case .plan: return try RunOptions.parse(plan: arguments)
    case .journal: return try JournalCommandOptions.parse(arguments)
    case .status: return try AskOptions.parse(status: arguments)
    case .explain: return try AskOptions.parse(explain: arguments)
    case .output: return try AskOptions.parse(output: arguments)
    case .cancel: return try AskOptions.parse(cancel: arguments)
    case .scale: return try AskOptions.parse(scale: arguments)
    case .pause: return try AskOptions.parse(.pause, arguments)
    case .unpause: return try AskOptions.parse(.unpause, arguments)
    case .report: return try ReportOptions.parse(arguments)
    case .checkWorker: return try CheckWorkerOptions.parse(arguments)
    case .doctor: return try DoctorOptions.parse(arguments)
    case .completion:
      guard let word = try word(arguments), let shell = Shell(rawValue: word) else {
        throw unsuitable(arguments)
      }
      return .completion(shell)
    case .help:
      guard let word = try word(arguments) else { return .help(.general) }
      guard let subcommand = Self(rawValue: word) else { throw unsuitable(arguments) }
      return .help(HelpTopic(subcommand))
    case .man:
      if try word(arguments) != nil { throw unsuitable(arguments) }
      return .manual
    case .version:
      if try word(arguments) != nil { throw unsuitable(arguments) }
      return .version
    }
  }

  /// The one word that follows it; nil if there is none.
  private func word(_ arguments: [[UInt8]]) throws(UsageError) -> String? {
    if arguments.count > 1 { throw unsuitable(Array(arguments.dropFirst())) }
    return arguments.first.map { String(decoding: $0, as: UTF8.self) }
  }

  private func unsuitable(_ arguments: [[UInt8]]) -> UsageError {
    let hint = words.isEmpty ? nil : "write 'opool \(rawValue) \(words.joined(separator: "|"))'"
    guard let argument = arguments.first else {
      return UsageError("opool \(rawValue) needs a word", hint: hint)
    }
    return UsageError("opool \(rawValue) takes no such argument", argument: argument, hint: hint)
  }
}

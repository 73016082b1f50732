package import PoolInputs
import PoolModel
import PoolText

/// The parsed command line.
package enum Invocation: Hashable, Sendable {
  case run(RunOptions)
  case map(MapOptions)
  case journal(JournalCommandOptions)
  case status(AskOptions)
  case explain([UInt8], AskOptions)
  case output([UInt8], AskOptions)
  case steer(SteeringRequest, AskOptions)
  case report(ReportOptions)
  case checkWorker(CheckWorkerOptions)
  case doctor(DoctorOptions)
  case completion(Shell)
  case manual
  case help(HelpTopic)
  /// `-h`: one screen.
  case shortHelp
  case version

  /// Parses the raw bytes of the arguments that follow the program's name.
  package init(arguments: [[UInt8]]) throws(UsageError) {
    guard let first = arguments.first else {
      throw UsageError("nothing to do", hint: "write 'opool run FILE' or 'opool map COMMAND'")
    }
    let rest = Array(arguments.dropFirst())
    switch String(decoding: first, as: UTF8.self) {
    case "--help": self = .help(.general)
    case "-h": self = .shortHelp
    case "--version", "-V": self = .version
    case let name:
      guard let subcommand = Subcommand(rawValue: name) else { throw Self.unknown(first) }
      self = try subcommand.parse(rest)
    }
  }

  private static func unknown(_ word: [UInt8]) -> UsageError {
    let name = String(decoding: word, as: UTF8.self)
    if name.hasPrefix("-") {
      let near = NearestName.of(name, among: ["--help", "--version"])
      let hint = near.map { "did you mean '\($0)'?" }
      return UsageError(
        "unknown option before the subcommand",
        argument: word,
        hint: hint ?? "options follow 'run' or 'map'"
      )
    }
    let names = Subcommand.allCases.map(\.rawValue)
    let near = NearestName.of(name, among: names)
    return UsageError(
      "unknown subcommand",
      argument: word,
      hint: near.map { "did you mean '\($0)'?" }
        ?? "the subcommands are \(names.joined(separator: ", "))"
    )
  }
}

/// The arguments of `opool run`.
package struct RunOptions: Hashable, Sendable {
  /// The source of a manifest.
  package enum Source: Hashable, Sendable {
    case standardInput
    case file([UInt8])

    /// The file; nil for the standard input.
    var path: [UInt8]? {
      if case .file(let path) = self { path } else { nil }
    }

    /// Its name in errors.
    var name: [UInt8] { path ?? Array("-".utf8) }

    /// In a message.
    var words: String {
      switch self {
      case .standardInput: "the manifest from the standard input"
      case .file(let path): "the manifest '\(Printable.text(path))'"
      }
    }
  }

  package var shared: SharedOptions
  package var manifest: Source

  package init(shared: SharedOptions = SharedOptions(), manifest: Source) {
    self.shared = shared
    self.manifest = manifest
  }

  static func parse(_ arguments: [[UInt8]]) throws(UsageError) -> Invocation {
    var reader = OptionReader(arguments, topic: .run)
    let (files, invocation) = try reader.operands()
    if let invocation { return invocation }
    if files.count > 1 {
      throw UsageError("more than one manifest", argument: files[1], topic: .run)
    }
    return .run(RunOptions(shared: try reader.checkedOptions(), manifest: try source(files.first)))
  }

  /// The arguments of `opool plan`: those of a dry run.
  static func parse(plan arguments: [[UInt8]]) throws(UsageError) -> Invocation {
    guard case .run(var options) = try parse(arguments) else { return try parse(arguments) }
    options.shared.isDryRun = true
    return .run(options)
  }

  private static func source(_ file: [UInt8]?) throws(UsageError) -> Source {
    guard let file, file != [UInt8(ascii: "-")] else { return .standardInput }
    if file.isEmpty { throw UsageError("the manifest's name is empty", topic: .run) }
    return .file(file)
  }
}

/// The arguments of `opool map`.
package struct MapOptions: Hashable, Sendable {
  package var shared: SharedOptions
  /// The words of the command; never empty.
  package var command: [[UInt8]]
  package var inputs: InputOptions
  /// How the input is cut into blocks; nil if it becomes words of the command.
  package var blocks: BlockOptions?

  package init(
    shared: SharedOptions = SharedOptions(),
    command: [[UInt8]],
    inputs: InputOptions = InputOptions(),
    blocks: BlockOptions? = nil
  ) {
    self.shared = shared
    self.command = command
    self.inputs = inputs
    self.blocks = blocks
  }

  static func parse(_ arguments: [[UInt8]]) throws(UsageError) -> Invocation {
    var reader = OptionReader(arguments, topic: .map)
    guard let item = try reader.next() else { throw noCommand }
    guard case .operand(let first) = item else {
      guard case .invocation(let invocation) = item else { throw noCommand }
      return invocation
    }
    let (command, sources) = try SourceSeparator.divide([first] + reader.rest)
    if command.isEmpty { throw noCommand }
    var inputs = reader.inputs
    inputs.sources += sources
    inputs = try inputs.checked()
    return .map(
      MapOptions(
        shared: try reader.checkedOptions(),
        command: command,
        inputs: inputs,
        blocks: try reader.blocks.checked(with: inputs)
      )
    )
  }

  private static var noCommand: UsageError {
    UsageError(
      "no command",
      hint:
        "write 'opool map COMMAND… ::: ARG…', or 'opool map sh -c < FILE' for a file of commands",
      topic: .map
    )
  }
}

/// What the arguments of `opool-worker` ask for.
package enum WorkerArguments: Hashable, Sendable {
  /// Serve commands.
  case serve
  /// Start a foreign worker command, for a parent of that number where one is named.
  case launch([[UInt8]], parent: Int32?)
  /// Print the help.
  case help
  /// Print the version.
  case version
  /// Nothing that is known; says what is wrong.
  case wrong(String)

  /// What `--version` prints.
  package static let versionText = "opool-worker 0.1.0, protocol 1"

  /// What `--help` prints, and what goes with an error.
  package static let helpText = """
    usage: opool-worker                       serve commands on stdin and stdout, for opool
           opool-worker launch [--parent=PID] -- COMMAND...
                                              start another worker program as opool's worker; it
                                              ends with its parent, which must be PID where named
           opool-worker --help | --version
    """

  /// Reads the arguments that follow the program's name.
  package init(_ arguments: [[UInt8]]) {
    let words = arguments.map { String(decoding: $0, as: UTF8.self) }
    switch words.first {
    case nil: self = .serve
    case "--help", "-h": self = words.count == 1 ? .help : .wrong("'--help' stands alone")
    case "--version": self = words.count == 1 ? .version : .wrong("'--version' stands alone")
    case "launch": self = Self.launch(words, arguments)
    case .some(let word): self = .wrong("'\(word)' is not known")
    }
  }

  private static func launch(_ words: [String], _ arguments: [[UInt8]]) -> Self {
    let mark = "--parent="
    let names = words.count > 1 && words[1].hasPrefix(mark)
    let parent = names ? Int32(words[1].dropFirst(mark.count)) : nil
    if names, parent == nil { return .wrong("'--parent' needs the number of a process") }
    let dashes = names ? 2 : 1
    guard words.count > dashes, words[dashes] == "--" else { return .wrong("'launch' needs '--'") }
    guard words.count > dashes + 1 else { return .wrong("'launch --' needs a command") }
    return .launch(Array(arguments[(dashes + 1)...]), parent: parent)
  }
}

/// The name, value and help of an option.
package struct OptionRow {
  /// The subcommands that have an option, or its letter.
  package struct Scope: Hashable, Sendable {
    /// A bit for each topic.
    private let topics: UInt16

    private init(_ topics: HelpTopic...) {
      self.topics = topics.reduce(0) { $0 | 1 << $1.rawValue }
    }

    /// Both subcommands that execute operations.
    package static let both = Self(.run, .map)
    package static let run = Self(.run)
    package static let map = Self(.map)
    package static let report = Self(.report)
    package static let status = Self(.status)
    package static let explain = Self(.explain)
    package static let output = Self(.output)
    package static let checkWorker = Self(.checkWorker)
    /// The subcommands that tell of an operation.
    package static let telling = Self(.explain, .output)
    /// The subcommands that ask or steer a run.
    package static let asking = Self(.status, .explain, .output, .steering)
    /// Every subcommand with options.
    package static let all = Self(
      .run,
      .map,
      .report,
      .status,
      .explain,
      .output,
      .steering,
      .checkWorker
    )

    package func contains(_ topic: HelpTopic) -> Bool { topics & 1 << topic.rawValue != 0 }
  }

  /// The name after two dashes.
  package var name: String?
  /// Other names that are accepted, and that the help does not list.
  package var aliases: [String] = []
  /// The letter after one dash.
  package var letter: Character?
  /// The name of its value in the help; nil for an option without a value.
  package var valueName: String?
  /// Whether it may have no value; then a value stands only behind an equals sign.
  package var hasOptionalValue = false
  /// Its description in the help.
  package var help: String
  /// The subcommands that have it.
  package var scope: Scope
  /// The subcommands in which it has its letter.
  package var letterScope: Scope

  /// Parses the spelling in the help, such as `-k, --keep-order`, `--order ORDER` or
  /// `--progress[=HOW]`.
  package init(
    _ spelling: String,
    in scope: Scope = .both,
    letterIn letterScope: Scope? = nil,
    aliases: [String] = [],
    _ help: String
  ) {
    self.aliases = aliases
    for word in spelling.split(whereSeparator: { $0 == " " || $0 == "," }) {
      if word.hasPrefix("--"), let bracket = word.firstIndex(of: "[") {
        name = String(word[..<bracket].dropFirst(2))
        valueName = String(word[bracket...].dropFirst(2).dropLast())
        hasOptionalValue = true
      } else if word.hasPrefix("--") {
        name = String(word.dropFirst(2))
      } else if word.hasPrefix("-") {
        letter = word.last
      } else {
        valueName = String(word)
      }
    }
    self.help = help
    self.scope = scope
    self.letterScope = letterScope ?? scope
  }
}

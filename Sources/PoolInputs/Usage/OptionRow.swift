/// The name, value and help of an option.
package struct OptionRow {
  /// The subcommands that have an option, or its letter.
  package enum Scope {
    /// Those of runs, one of these, all that have options, or reports.
    case both, run, map, all, report

    package func contains(_ topic: HelpTopic) -> Bool {
      switch self {
      case .both: topic == .run || topic == .map
      case .all: topic == .run || topic == .map || topic == .report
      case .report: topic == .report
      case .run: topic == .run
      case .map: topic == .map
      }
    }
  }

  /// The name after two dashes.
  package var name: String?
  /// Other names that are accepted, and that the help does not list.
  package var aliases: [String] = []
  /// The letter after one dash.
  package var letter: Character?
  /// The name of its value in the help; nil for an option without a value.
  package var valueName: String?
  /// Its description in the help.
  package var help: String
  /// The subcommands that have it.
  package var scope: Scope
  /// The subcommands in which it has its letter.
  package var letterScope: Scope

  /// Parses the spelling in the help, such as `-k, --keep-order` or `--order ORDER`.
  package init(
    _ spelling: String,
    in scope: Scope = .both,
    letterIn letterScope: Scope? = nil,
    aliases: [String] = [],
    _ help: String
  ) {
    self.aliases = aliases
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
    self.scope = scope
    self.letterScope = letterScope ?? scope
  }
}

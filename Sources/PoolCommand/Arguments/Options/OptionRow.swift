/// The name, value and help of an option.
struct OptionRow {
  /// The subcommands that have an option, or its letter.
  enum Scope {
    case both, run, map

    func contains(_ topic: HelpTopic) -> Bool {
      switch self {
      case .both: topic == .run || topic == .map
      case .run: topic == .run
      case .map: topic == .map
      }
    }
  }

  /// The name after two dashes.
  var name: String?
  /// Other names that are accepted, and that the help does not list.
  var aliases: [String] = []
  /// The letter after one dash.
  var letter: Character?
  /// The name of its value in the help; nil for an option without a value.
  var valueName: String?
  /// Its description in the help.
  var help: String
  /// The subcommands that have it.
  var scope: Scope
  /// The subcommands in which it has its letter.
  var letterScope: Scope

  /// Parses the spelling in the help, such as `-k, --keep-order` or `--order ORDER`.
  init(
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

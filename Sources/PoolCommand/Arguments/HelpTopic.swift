/// What a help text is about.
package enum HelpTopic: Hashable, Sendable, CaseIterable {
  case general
  case run
  case map
  case journal

  /// The word that names it after `opool`; empty for the general one.
  var subcommand: String {
    switch self {
    case .general: ""
    case .run: Subcommand.run.rawValue
    case .map: Subcommand.map.rawValue
    case .journal: Subcommand.journal.rawValue
    }
  }

  /// The command whose `--help` prints the text.
  package var command: String {
    switch self {
    case .general: "opool"
    case .run: "opool run"
    case .map: "opool map"
    case .journal: "opool journal"
    }
  }

  /// The text, with the last line's end.
  package var text: String {
    switch self {
    case .general: HelpText.general
    case .run: HelpText.run
    case .map: HelpText.map
    case .journal: HelpText.journal
    }
  }
}

/// What a help text is about.
package enum HelpTopic: Hashable, Sendable, CaseIterable {
  case general
  case run
  case map
  case journal
  case report

  /// The command whose `--help` prints the text.
  package var command: String {
    switch self {
    case .general: "opool"
    case .run: "opool run"
    case .map: "opool map"
    case .journal: "opool journal"
    case .report: "opool report"
    }
  }
}

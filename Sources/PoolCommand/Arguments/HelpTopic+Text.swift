package import PoolInputs

extension HelpTopic {
  /// The word that names it after `opool`; empty for the general one.
  var subcommand: String {
    switch self {
    case .general: ""
    case .run: Subcommand.run.rawValue
    case .map: Subcommand.map.rawValue
    case .journal: Subcommand.journal.rawValue
    case .report: Subcommand.report.rawValue
    case .status: Subcommand.status.rawValue
    case .explain: Subcommand.explain.rawValue
    case .output: Subcommand.output.rawValue
    case .steering: Subcommand.cancel.rawValue
    case .checkWorker: Subcommand.checkWorker.rawValue
    }
  }

  /// The words of all subcommands that it is about.
  var subcommands: [String] {
    Subcommand.allCases.filter { HelpTopic($0) == self }.map(\.rawValue)
  }

  /// The text, with the last line's end.
  package var text: String {
    switch self {
    case .general: HelpText.general
    case .run: HelpText.run
    case .map: HelpText.map
    case .journal: HelpText.journal
    case .report: HelpText.report
    case .status: HelpText.status
    case .explain: HelpText.explain
    case .output: HelpText.output
    case .steering: HelpText.steering
    case .checkWorker: HelpText.checkWorker
    }
  }
}

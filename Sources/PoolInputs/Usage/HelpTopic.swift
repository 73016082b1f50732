/// What a help text is about.
package enum HelpTopic: UInt8, Hashable, Sendable, CaseIterable {
  case general
  case run
  case map
  case journal
  case report
  case status
  case explain
  case output
  /// What a run is asked to do.
  case steering
  case checkWorker

  /// The command whose `--help` prints the text.
  package var command: String {
    switch self {
    case .general: "opool"
    case .run: "opool run"
    case .map: "opool map"
    case .journal: "opool journal"
    case .report: "opool report"
    case .status: "opool status"
    case .explain: "opool explain"
    case .output: "opool output"
    case .steering: "opool cancel"
    case .checkWorker: "opool check-worker"
    }
  }
}

import PoolInputs
import PoolJournal
import PoolModel
import PoolReports

extension Shell {
  /// The script, which the shell reads at its start.
  var completions: String {
    switch self {
    case .bash: BashCompletion.script
    case .zsh: ZshCompletion.script
    case .fish: FishCompletion.script
    }
  }
}

/// What a shell may suggest as the value of an option.
enum SuggestedValue {
  /// The option has no value.
  case none
  case file
  case words([String])
  /// One that no list has.
  case other
}

extension Option {
  /// What a shell may suggest as its value.
  var suggestedValue: SuggestedValue {
    switch self {
    case .execution(.order): .words(PoolSchedulingPolicy.allCases.map(\.rawValue))
    case .graph(.format): .words(GraphFormat.allCases.map(\.rawValue))
    case .failures(.retryOn): .words(PoolRetryCause.allCases.map(\.name))
    case .output(.progress): .words(ProgressStyle.allCases.map(\.rawValue))
    case .output(.color): .words(ColorChoice.allCases.map(\.rawValue))
    case .output(.show): .words(ShownOutputs.allCases.map(\.rawValue))
    case .output(.ci): .words(ContinuousIntegration.allCases.map(\.rawValue))
    case .journal(.durability): .words(Durability.allCases.map(\.name))
    case .execution(.history), .inputs(.argumentFile), .output(.lines(.results)),
      .output(.report), .output(.junit), .journal(.journal), .report(.page), .report(.trace),
      .report(.other),
      .asking(.file), .graph(.history), .check(.cases):
      .file
    case .starts(.folder), .starts(.temporaryFolder), .execution(.width): .file
    default: valueName == nil ? .none : .other
    }
  }

  /// The beginning of its help, as one line: up to the first colon, semicolon or bracket.
  var summary: String {
    let end = row.help.firstIndex { ":;(".contains($0) } ?? row.help.endIndex
    return row.help[..<end].trimmingPrefix(" ").description.trimmedEnd
  }
}

extension String {
  /// The text without blanks at its end.
  fileprivate var trimmedEnd: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}

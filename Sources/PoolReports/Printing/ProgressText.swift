/// What a terminal shows of a run below other text.
package struct ProgressText: Hashable, Sendable {
  /// At least one line, each safe for a terminal and shorter than its width, and fewer than it has
  /// rows.
  package var lines: [String]
  /// What a terminal may show of the run beside its text, such as in a tab or in a task bar.
  package var share: TerminalShare

  package init(_ lines: [String], share: TerminalShare = .none) {
    (self.lines, self.share) = (lines, share)
  }

  package init(_ line: String, share: TerminalShare = .none) {
    self.init([line], share: share)
  }
}

/// The state of a run that a terminal shows beside its text (OSC 9;4, ConEmu's progress report).
package enum TerminalShare: Hashable, Sendable {
  /// Nothing is shown.
  case none
  /// A percentage has ended.
  case ended(percent: Int)
  /// A percentage has ended, and some operations have failed.
  case failing(percent: Int)
  /// It is unknown how much there is to do.
  case unknown

  /// The escape sequence that shows it.
  var sequence: String {
    let fields =
      switch self {
      case .none: "0;"
      case .ended(let percent): "1;\(percent)"
      case .failing(let percent): "2;\(percent)"
      case .unknown: "3;"
      }
    return "\u{1B}]9;4;\(fields)\u{1B}\\"
  }
}

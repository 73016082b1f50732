/// What a terminal can do beside what every terminal with a moving cursor can.
package struct TerminalFeatures: Hashable, Sendable {
  /// Whether it shows what is written between two marks at once (mode 2026).
  package var hasSynchronizedUpdates = false
  /// Whether it shows the progress of a program beside its text (OSC 9;4).
  package var showsShare = false

  package init(hasSynchronizedUpdates: Bool = false, showsShare: Bool = false) {
    (self.hasSynchronizedUpdates, self.showsShare) = (hasSynchronizedUpdates, showsShare)
  }

  /// Recognizes the terminal by the variables that it sets for its programs.
  ///
  /// A terminal is not asked: its answer would come on the standard input, which belongs to
  /// commands. Progress is shown by the terminals to which cargo shows it.
  package init(_ variable: (_ name: String) -> String?) {
    let program = variable("TERM_PROGRAM") ?? ""
    let type = variable("TERM") ?? ""
    // Within a multiplexer, the variables may be those of the terminal that it is shown on.
    let isNested = ["screen", "tmux"].contains { type.hasPrefix($0) }
    hasSynchronizedUpdates =
      !isNested
      && (Self.synchronizingTypes.contains { type.hasPrefix($0) }
        || Self.synchronizingPrograms.contains(program))
    let hasITermShare =
      program == "iTerm.app" && variable("TERM_FEATURES")?.contains("P") == true
    showsShare =
      !isNested
      && (variable("WT_SESSION") != nil || variable("ConEmuANSI") == "ON" || hasITermShare
        || Self.showingPrograms.contains(program))
  }

  private static let synchronizingTypes = [
    "xterm-kitty", "xterm-ghostty", "foot", "alacritty", "wezterm", "contour", "rio",
  ]
  private static let synchronizingPrograms = ["WezTerm", "ghostty", "iTerm.app", "rio"]
  private static let showingPrograms = ["WezTerm", "ghostty"]

  /// The bytes of one update of the screen.
  func update(_ bytes: [UInt8]) -> [UInt8] {
    guard hasSynchronizedUpdates, !bytes.isEmpty else { return bytes }
    return Array("\u{1B}[?2026h".utf8) + bytes + Array("\u{1B}[?2026l".utf8)
  }
}

/// When outputs are printed, and what their lines begin with.
package struct DisplayOptions: Hashable, Sendable {
  /// Whether lines are printed as soon as they are written.
  package var isLineBuffered = false
  /// Whether commands write to this process's streams themselves, if they can.
  package var isUngrouped = false
  /// Milliseconds that outputs of processes which a command has left behind are waited for; nil for
  /// the default.
  package var outputGrace: Int?
  /// What each line of output begins with; nil for nothing.
  package var tag: LineTag?

  package init() {}

  /// Whether outputs are printed while operations execute.
  var isLive: Bool { isLineBuffered || isUngrouped }

  /// Throws where options exclude each other.
  func check(beside options: SharedOptions, _ topic: HelpTopic) throws(UsageError) {
    guard isUngrouped else { return }
    var conflicts: [(isGiven: Bool, option: String, reason: String)] = [
      (isLineBuffered, "--line-buffer", "which waits for whole lines"),
      (options.keepsOrder, "-k", "which is an order of outputs"),
      (tag != nil, "--tag", "for which opool must see each line"),
      (options.progress == true, "--progress", "a line that commands would write into"),
    ]
    conflicts += TargetLines.allCases.map { lines in
      let isStream = options.targets[lines]?.path == Array("-".utf8)
      return (isStream, "\(lines.option) -", "whose lines must be whole")
    }
    guard let conflict = conflicts.first(where: \.isGiven) else { return }
    throw UsageError(
      "-u lets commands write by themselves; it excludes \(conflict.option), \(conflict.reason)",
      hint: "write --line-buffer in place of -u, or leave one of them out",
      topic: topic
    )
  }
}

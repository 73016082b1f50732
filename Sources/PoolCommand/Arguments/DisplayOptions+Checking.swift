import PoolInputs
import PoolReports

extension DisplayOptions {
  /// Throws where options exclude each other.
  func check(beside options: SharedOptions, _ topic: HelpTopic) throws(UsageError) {
    if isLive, shown != .all {
      throw UsageError(
        "--show \(shown.rawValue): \(isUngrouped ? "-u" : "--line-buffer") prints outputs before "
          + "it is known how their operation ends",
        hint: "leave one of them out",
        topic: topic
      )
    }
    guard isUngrouped else { return }
    var conflicts: [(isGiven: Bool, option: String, reason: String)] = [
      (isLineBuffered, "--line-buffer", "which waits for whole lines"),
      (options.keepsOrder, "-k", "which is an order of outputs"),
      (tag != nil, "--tag", "for which opool must see each line"),
      (
        options.progress.map { $0 != .hidden } == true, "--progress",
        "lines that commands would write into"
      ),
      (options.ci != nil, "--ci", "for which opool must see each line"),
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

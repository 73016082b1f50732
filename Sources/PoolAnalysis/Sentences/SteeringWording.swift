package import PoolEvents
import PoolModel
import PoolText

// The sentences of reports about what other processes have asked a run for.

extension ReportWording {
  /// The most sentences about it.
  private static let steeringLimit = 5

  /// What other processes asked for, as in: It was paused for 12 s by user 0 (opool, process 17).
  static func steering(of history: RunHistory) -> [String] {
    var sentences = history.pauses.map { pause in
      let time = pause.span.upperBound.nanoseconds - pause.span.lowerBound.nanoseconds
      return "It was paused for \(duration(time)) by \(asker(pause.asker))."
    }
    for steering in history.steerings {
      let (steered, time) = (steering.steered, duration(steering.time.nanoseconds))
      switch steered.action {
      case .cancel(let targets):
        let skipped =
          targets.skippedCount > 0 ? "; \(targets.skippedCount) depended on that" : ""
        let count = Plural.of(targets.count, "operation")
        sentences.append(
          "At \(time), \(count) \(targets.count == 1 ? "was" : "were") cancelled"
            + " by \(asker(steered.asker))\(skipped)."
        )
      case .scale(let width, let before):
        sentences.append(
          "At \(time), it was scaled from \(before) to \(Plural.of(width, "slot"))"
            + " by \(asker(steered.asker))."
        )
      case .pause, .unpause: break
      }
    }
    let rest = sentences.count - steeringLimit
    guard rest > 0 else { return sentences }
    return sentences.prefix(steeringLimit) + ["It was steered \(Plural.of(rest, "more time"))."]
  }

  /// Who has asked: `user 0 (opool, process 17)`.
  package static func asker(_ asker: RunSteered.Asker) -> String {
    let user = asker.user.map { "user \($0)" } ?? "another process"
    let process = asker.process.map { "process \($0)" }
    let facts = [asker.command.map { Printable.name($0) }, process].compactMap { $0 }
    return facts.isEmpty ? user : "\(user) (\(facts.joined(separator: ", ")))"
  }
}

import PoolModel
import PoolTestSupport

/// Compares the progress that a terminal showed with the events of the run, millisecond by
/// millisecond.
struct ProgressWatch {
  /// The counts of a line.
  struct Counts: Equatable {
    var finished = 0
    var executing = 0
  }

  /// Number of compared milliseconds.
  private(set) var total = 0
  /// Number of them in which the line was there, with counts that were right within the delay.
  private(set) var right = 0
  /// The first line that was not right, with what was.
  private(set) var firstFault: String?

  private static let step = Int64.milliseconds(1)

  /// What is shown may be as old as the delay, in nanoseconds: a tenth of a second.
  init(_ terminal: PseudoTerminal, _ log: EventLog, delay: Int64 = .milliseconds(100)) {
    let shown = terminal.history.map { (counts: Self.counts(on: $0.screen), at: $0.at) }
    let truth = Self.truth(log)
    guard let first = shown.first(where: { $0.counts != nil })?.at,
      let last = shown.last(where: { $0.counts != nil })?.at
    else { return }
    var (shownIndex, oldest, newest) = (0, 0, 0)
    for time in stride(from: first, to: last, by: Int(Self.step)) {
      while shownIndex + 1 < shown.count, shown[shownIndex + 1].at <= time { shownIndex += 1 }
      while oldest + 1 < truth.count, truth[oldest + 1].at <= time - delay { oldest += 1 }
      while newest + 1 < truth.count, truth[newest + 1].at <= time + Self.step { newest += 1 }
      total += 1
      let isRight = truth[oldest...newest].contains { $0.counts == shown[shownIndex].counts }
      if isRight { right += 1 }
      if !isRight, firstFault == nil {
        firstFault = "\(shown[shownIndex]) at \(time): \(truth[oldest...newest])"
      }
    }
  }

  /// The counts of the last line on a screen that has some.
  private static func counts(on screen: ScreenModel) -> Counts? {
    let pattern = /([0-9]+)\/[0-9]+\+?,?\ .*?([0-9]+) (?:of [0-9]+ )?executing.*/
    let match = screen.lines.lazy.reversed().compactMap { $0.wholeMatch(of: pattern) }.first
    guard let match, let finished = Int(match.1), let executing = Int(match.2) else { return nil }
    return Counts(finished: finished, executing: executing)
  }

  /// The counts from each time on, by the events.
  private static func truth(_ log: EventLog) -> [(counts: Counts, at: Int64)] {
    let groups = Set(log.all("submitted").filter { $0.members != nil }.map(\.operation))
    let start = log.lines.first?.startedAt ?? 0
    var counts = Counts()
    return [(counts, .min)]
      + log.lines.filter { !groups.contains($0.operation) }.compactMap { line in
        switch line.type {
        case "started": counts.executing += 1
        case "attemptEnded": counts.executing -= 1
        case "settled": counts.finished += 1
        default: return nil
        }
        return (counts, Int64((start + line.at) * 1e9))
      }
  }
}

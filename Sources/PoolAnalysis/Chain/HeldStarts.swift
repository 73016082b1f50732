import PoolEvents
import PoolModel

/// When starts became possible that something outside the operations had held back: a pause, a
/// number of slots, or the time between two starts.
struct HeldStarts {
  private let pauseEnds: [Instant]
  private let widenings: [Instant]
  /// Nanoseconds between two starts; 0 where they need not be apart.
  private let delay: Int64
  /// The starts of all attempts, if they have to be apart.
  private let starts: [Instant]

  init(_ history: RunHistory) {
    pauseEnds = history.steerings.filter { $0.steered.action == .unpause }.map(\.time)
    widenings = history.steerings.filter(\.steered.isWidening).map(\.time)
    let delay = history.began?.delay ?? 0
    self.delay = delay
    guard delay > 0 else {
      starts = []
      return
    }
    starts = history.operations.indices.flatMap { place in
      history.operations[place].attempts.map(\.started)
    }.sorted()
  }

  /// What may have held back an attempt until a moment, for an attempt that started then.
  func ends(before start: Instant) -> [(end: Instant, reason: DecidingStep.Reason)] {
    guard delay > 0 || !pauseEnds.isEmpty || !widenings.isEmpty else { return [] }
    let times: [(Instant?, DecidingStep.Reason)] = [
      (SortedTimes.last(pauseEnds, by: start), .pause),
      (SortedTimes.last(widenings, by: start), .width),
      (delayEnd(before: start), .delay),
    ]
    return times.compactMap { time, reason in time.map { ($0, reason) } }
  }

  /// When the attempt could start because the one before it was long enough ago.
  private func delayEnd(before start: Instant) -> Instant? {
    guard delay > 0 else { return nil }
    let place = SortedTimes.count(starts, before: start) - 1
    guard place >= 0 else { return nil }
    // Workers' clocks may tell a start a little too early.
    let end = starts[place].advanced(by: delay)
    return end <= start.advanced(by: Self.tolerance) ? min(end, start) : nil
  }

  /// How much too early a start may be told: 20 ms.
  private static let tolerance = Int64.milliseconds(20)
}

extension RunSteered {
  /// Whether more operations may execute at once from then on.
  fileprivate var isWidening: Bool {
    if case .scale(let width, let before) = action { width > before } else { false }
  }
}

extension DecidingStep.Reason {
  /// Whether it is the end of another attempt, or the beginning of the run.
  var isEnd: Bool {
    switch self {
    case .beginning, .dependency, .barrier, .limit, .slot, .retry: true
    case .pause, .width, .delay: false
    }
  }
}

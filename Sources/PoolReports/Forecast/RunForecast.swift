import PoolCore
package import PoolInputs
package import PoolModel
import PoolSystem
import Synchronization

/// Estimates the remaining time of a run from the durations measured in it.
///
/// Operations are alike if they have the same kind and execute the same program. An estimate is
/// linear in operations and dependencies. So that it never takes more than a hundredth of the time,
/// the last estimate is counted down until a hundred times its own cost has passed.
package final class RunForecast: Sendable {
  /// The progress of a run, and the operations that ended since the last estimate.
  package struct Progress {
    package var total = 0
    /// Whether more operations may come.
    package var isOpen = false
    /// The start of each execution.
    package var executing: [Int: Instant] = [:]
    /// The earliest start of each operation that waits for its next attempt.
    var delayed: [Int: Instant] = [:]
    package var ends: [End] = []
  }

  /// An operation that has ended.
  package struct End {
    private let number: UInt32
    private let measured: Float

    /// The operation executed for this many nanoseconds; nil if its time says nothing about others.
    package init(_ operation: Int, after duration: Int64?) {
      number = UInt32(truncatingIfNeeded: operation)
      measured = duration.map { Float($0) } ?? -1
    }

    package var operation: Int { Int(number) }
    package var duration: Double? { measured < 0 ? nil : Double(measured) }
  }

  /// What is known of the remaining time.
  package struct Answer: Hashable, Sendable {
    /// Nil if no duration is known, or too little is left to be shown.
    package var time: RemainingTime?
    /// Whether the operations are known well enough for an estimate.
    package var isMade = false

    /// None is made.
    package init() {}

    init(made time: RemainingTime?) { (self.time, isMade) = (time, true) }
  }

  private struct State {
    var isOver: [Bool] = []
    var classes: OperationClasses
    var durations = MeasuredDurations()
    /// The highest number of slots seen in use at once.
    var width = 0
    var latest: (time: RemainingTime?, at: Int64)?
    var nextAt: Int64 = 0
  }

  private let workload: any Workload
  private let graph: DependencyRows?
  private let units: [Int]
  private let state: Mutex<State>

  /// Makes a forecast; a redraw spends at most `patience` nanoseconds on classifying operations.
  package init(_ workload: any Workload, patience: Int64 = .milliseconds(2)) {
    self.workload = workload
    graph = workload.graph
    units = (0..<workload.resourceCount).map { workload.resource($0).units }
    state = Mutex(State(classes: OperationClasses(workload, patience: patience)))
  }

  /// The remaining time; it is not made before enough is known of the operations.
  package func remaining(at now: Instant, _ progress: () -> Progress) -> Answer {
    state.withLock { state in
      let progress = progress()
      take(progress, into: &state)
      guard state.classes.find(upTo: progress.total, &state.durations) else { return Answer() }
      let start = MonotonicClock.now
      if start < state.nextAt, let latest = state.latest {
        return Answer(made: latest.time?.counted(down: start - latest.at))
      }
      var time = estimate(progress, at: now, state)
      if progress.isOpen { time?.isAtLeast = true }
      state.latest = (time, start)
      state.nextAt = start + 100 * (MonotonicClock.now - start)
      return Answer(made: time)
    }
  }

  /// Nanoseconds that an operation takes, as far as the workload says or others like it tell; nil
  /// if that is unknown.
  package func expected(of operation: Int) -> Int64? {
    state.withLock { state in
      guard let (index, units) = state.classes.known(operation) else { return nil }
      return state.durations.expected(units: units, in: index)
    }
  }

  private func take(_ progress: Progress, into state: inout State) {
    let newCount = max(progress.total - state.isOver.count, 0)
    state.isOver.append(contentsOf: repeatElement(false, count: newCount))
    for end in progress.ends {
      state.isOver[end.operation] = true
      guard let duration = end.duration else { continue }
      let (index, units) = state.classes.find(end.operation, &state.durations)
      state.durations.add(duration, units: units, to: index)
    }
    let taken = progress.executing.keys.reduce(0) { $0 + workload.slots(of: $1) }
    state.width = max(state.width, taken)
  }

  private func estimate(
    _ progress: Progress,
    at now: Instant,
    _ state: borrowing State
  ) -> RemainingTime? {
    let durations = state.durations
    var rests = state.classes.rests(durations, isOver: state.isOver)
    for (operation, start) in progress.executing where !state.isOver[operation] {
      let (index, units) = state.classes[operation]
      let elapsed = now.nanoseconds - start.nanoseconds
      rests[operation] =
        durations.rest(units: units, in: index, after: elapsed) ?? RemainingTime.unknown
    }
    let delays = progress.delayed.mapValues { max($0.nanoseconds - now.nanoseconds, 0) }
    let limits = ExecutionLimits(
      width: state.width,
      slots: workload.slots(of:),
      units: units,
      claims: workload.claims(of:)
    )
    return RemainingTime(rests, delays: delays, graph: graph, limits: limits)
  }
}

extension RemainingTime {
  /// The estimate reduced by the elapsed time; nil if too little is left to be shown.
  fileprivate func counted(down elapsed: Int64) -> RemainingTime? {
    let rest = nanoseconds.saturatingDifference(elapsed)
    return rest < 1_000_000_000 ? nil : RemainingTime(nanoseconds: rest, isAtLeast: isAtLeast)
  }
}

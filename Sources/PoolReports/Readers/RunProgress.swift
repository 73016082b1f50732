package import PoolAnalysis
package import PoolEvents
package import PoolModel
import Synchronization

/// The state of a run for the progress line; written by the coordinator's thread, and read by the
/// printer's.
package final class RunProgress: Sendable {
  private struct State {
    var total = 0
    var finished = 0
    /// Number of finished operations that executed.
    var executed = 0
    var failed = 0
    var executing: [Int: Execution] = [:]
    /// Whether more operations may come than expected.
    var isOpen = false
    /// The earliest next attempts of the operations that wait to be tried again.
    var delayed: [Int: Instant] = [:]
    /// The operations that ended since the forecast last asked.
    var ends: [RunForecast.End] = []
    /// The remaining time at the rate so far, when it was last asked for.
    var rate = RateEstimate()
    /// When each worker last ended an operation; only with a forecast.
    var workerEnds: [WorkerID: Instant] = [:]
  }

  /// An execution that has not ended.
  package struct Execution: Sendable {
    package var start: Instant
    package var worker: WorkerID
  }

  /// A worker that waits longer had nothing to execute: 20 ms.
  private static let longestGap = Int64.milliseconds(20)

  private let state = Mutex(State())
  private let forecast: RunForecast?

  /// With a forecast, it also estimates the remaining time.
  package init(_ forecast: RunForecast? = nil) {
    self.forecast = forecast
  }

  /// Whether durations and delays of operations are needed.
  package var isMeasuring: Bool { forecast != nil }

  /// Sets whether operations may come that are not expected yet.
  package func setOpen(_ isOpen: Bool) {
    state.withLock { $0.isOpen = isOpen }
  }

  /// Adds to the number of expected operations.
  package func expect(_ count: Int) {
    state.withLock { $0.total += count }
  }

  private func take(_ start: AttemptStarted) {
    state.withLock { state in
      state.executing[start.number] = Execution(start: start.time, worker: start.worker)
      if !state.delayed.isEmpty { state.delayed[start.number] = nil }
    }
  }

  private func take(_ retry: RetryPlanned) {
    state.withLock { state in
      state.executing[retry.number] = nil
      if let due = retry.due { state.delayed[retry.number] = due }
    }
  }

  /// The pause between two operations of a worker counts as well: the next one needs it, too.
  private func take(_ end: EndRecord) {
    let operation = end.number
    state.withLock { state in
      if isMeasuring {
        let now = end.finished ?? .zero
        let gap = state.executing[operation].map { execution in
          let last = state.workerEnds.updateValue(now, forKey: execution.worker)
          return Self.gap(from: last, to: end.started ?? execution.start)
        }
        let whole = end.usefulDuration.map { $0 + (gap ?? 0) }
        state.ends.append(RunForecast.End(operation, after: whole))
      }
      if !state.delayed.isEmpty { state.delayed[operation] = nil }
      if state.executing.removeValue(forKey: operation) != nil { state.executed += 1 }
      state.finished += 1
      if end.ending.isFailure { state.failed += 1 }
    }
  }

  /// The pause of a worker between two operations, unless it is too long to say anything of others.
  private static func gap(from end: Instant?, to start: Instant) -> Int64 {
    guard let end else { return 0 }
    let gap = start.nanoseconds - end.nanoseconds
    return gap < longestGap ? max(gap, 0) : 0
  }

  /// The state at that time, with the operations that have been executing longest.
  ///
  /// The closures name an operation, and the places that the run has to do without.
  package func snapshot(
    at now: Instant,
    places: () -> [PlaceState] = { [] },
    oldest count: Int = 1,
    label: (Int) -> String
  ) -> ProgressSnapshot {
    var (snapshot, executing) = base(at: now)
    if executing.isEmpty {
      let places = places()
      snapshot.starting = places.reduce(0) { $0 + $1.starting }
      snapshot.pending = places.reduce(0) { $0 + ($1.isPending ? $1.starting : 0) }
    }
    let oldest = count == 1 ? Self.oldest(executing) : Self.byAge(executing).prefix(count)
    snapshot.oldest = oldest.map { operation, execution in
      ProgressSnapshot.Execution(
        label: label(operation),
        elapsed: now.nanoseconds - execution.start.nanoseconds
      )
    }
    return snapshot
  }

  /// The counts and the remaining time, and what executes.
  ///
  /// The remaining time is the forecast's; without one, it is that at the rate so far.
  private func base(at now: Instant) -> (ProgressSnapshot, [Int: Execution]) {
    let forecast = remaining(at: now)
    return state.withLock { state in
      var snapshot = Self.snapshot(state, at: now)
      let rate = Self.remainingAtRate(&state, at: now)
      snapshot.remaining = forecast.isMade ? forecast.time : rate
      return (snapshot, state.executing)
    }
  }

  private static func remainingAtRate(_ state: inout State, at now: Instant) -> RemainingTime? {
    guard !state.isOpen else { return nil }
    let rest = state.total - state.finished
    let basis = RateEstimate.Basis(executed: state.executed, rest: rest)
    return state.rate.remaining(basis, after: now.nanoseconds).map {
      RemainingTime(nanoseconds: $0)
    }
  }

  /// What executes, the oldest first; the number breaks ties, so that the line does not flicker.
  private static func byAge(
    _ executing: [Int: Execution]
  ) -> ArraySlice<(key: Int, value: Execution)> {
    executing.sorted { ($0.value.start, $0.key) < ($1.value.start, $1.key) }[...]
  }

  /// The oldest of what executes, found without sorting.
  private static func oldest(
    _ executing: [Int: Execution]
  ) -> ArraySlice<(key: Int, value: Execution)> {
    let oldest = executing.min { ($0.value.start, $0.key) < ($1.value.start, $1.key) }
    return oldest.map { [$0] } ?? []
  }

  private func remaining(at now: Instant) -> RunForecast.Answer {
    guard let forecast else { return RunForecast.Answer() }
    return forecast.remaining(at: now) {
      state.withLock { state in
        defer { state.ends = [] }
        return RunForecast.Progress(
          total: state.total,
          isOpen: state.isOpen,
          executing: state.executing.mapValues(\.start),
          delayed: state.delayed,
          ends: state.ends
        )
      }
    }
  }

  /// The progress, and all executions, at that time; the closures name an operation, and say how
  /// its execution is being ended, if it is.
  package func status(
    at now: Instant,
    id: (Int) -> [UInt8],
    label: (Int) -> String,
    ending: (Int) -> Standing.Ending? = { _ in nil }
  ) -> (progress: ProgressSnapshot, executions: [StatusReport.Execution]) {
    let (progress, executing) = base(at: now)
    return (
      progress,
      Self.byAge(executing).map { operation, execution in
        StatusReport.Execution(
          id: id(operation),
          label: label(operation),
          worker: execution.worker.description,
          elapsed: now.nanoseconds - execution.start.nanoseconds,
          ending: ending(operation)
        )
      }
    )
  }

  /// The execution of an operation; nil if none executes it.
  package func execution(of number: Int) -> Execution? {
    state.withLock { $0.executing[number] }
  }

  /// When an operation is tried again at the earliest; nil if it does not wait for that any more.
  package func nextAttempt(of number: Int, after now: Instant) -> Instant? {
    state.withLock { $0.delayed[number] }.flatMap { $0 > now ? $0 : nil }
  }

  /// The operations that execute.
  package var executing: [Int] { Array(executions.keys) }

  /// What executes, by the number of the operation.
  package var executions: [Int: Execution] { state.withLock { $0.executing } }

  /// Nanoseconds that an operation takes; nil if that is unknown.
  package func expected(of number: Int) -> Int64? { forecast?.expected(of: number) }

  private static func snapshot(_ state: State, at now: Instant) -> ProgressSnapshot {
    var snapshot = ProgressSnapshot(
      finished: state.finished,
      total: state.total,
      executing: state.executing.count,
      failed: state.failed,
      elapsed: now.nanoseconds
    )
    snapshot.executed = state.executed
    snapshot.isOpen = state.isOpen
    // What may be tried again at once waits for a slot, as others do.
    for due in state.delayed.values where due > now {
      let wait = due.nanoseconds - now.nanoseconds
      snapshot.delayed += 1
      snapshot.nextAttempt = min(snapshot.nextAttempt ?? wait, wait)
    }
    return snapshot
  }
}

extension RunProgress: RunReader {
  package var kinds: RunRecord.Kinds { [.started, .retryPlanned, .settled] }

  package func take(_ record: RunRecord) {
    switch record {
    case .started(let start): take(start)
    case .retryPlanned(let retry): take(retry)
    case .settled(let end, _) where end.memberCount == nil: take(end)
    default: break
    }
  }
}

extension EndRecord {
  /// Nanoseconds of an execution, in this run or an earlier one, if others may take as long.
  fileprivate var usefulDuration: Int64? {
    switch ending {
    case .succeeded, .failed, .timedOut: executionTime
    case .cancelled, .lost, .skipped: nil
    }
  }
}

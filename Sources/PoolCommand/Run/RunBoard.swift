import PoolModel
import Synchronization

/// What is known of a run at a glance, for the progress line; written by the coordinator's thread
/// and read by the printer's.
final class RunBoard: Sendable {
  private struct State {
    var total = 0
    var finished = 0
    var failed = 0
    var executing: [Int: Execution] = [:]
  }

  private struct Execution {
    var start: Instant
    var worker: WorkerID
  }

  private let state = Mutex(State())

  /// So many more operations are to come.
  func expect(_ count: Int) {
    state.withLock { $0.total += count }
  }

  func start(_ operation: Int, on worker: WorkerID, at now: Instant) {
    let execution = Execution(start: now, worker: worker)
    state.withLock { $0.executing[operation] = execution }
  }

  func retry(_ operation: Int) {
    state.withLock { $0.executing[operation] = nil }
  }

  func finish(_ operation: Int, _ ending: PoolEnding) {
    state.withLock { state in
      state.executing[operation] = nil
      state.finished += 1
      if ending == .failed || ending == .timedOut || ending == .lost { state.failed += 1 }
    }
  }

  /// The picture at that time; the closure names an operation.
  func snapshot(at now: Instant, label: (Int) -> String) -> ProgressSnapshot {
    let state = state.withLock { $0 }
    // The number breaks ties, so that the line does not flicker.
    let longest = state.executing.min { ($0.value.start, $0.key) < ($1.value.start, $1.key) }
    return Self.snapshot(
      state,
      at: now,
      longest: longest.map { operation, execution in
        ProgressSnapshot.Longest(
          label: label(operation),
          elapsed: now.nanoseconds - execution.start.nanoseconds
        )
      }
    )
  }

  /// Everything that executes at that time; the closure names an operation.
  func status(at now: Instant, label: (Int) -> String) -> StatusReport {
    let state = state.withLock { $0 }
    let executions = state.executing.sorted { ($0.value.start, $0.key) < ($1.value.start, $1.key) }
    return StatusReport(
      progress: Self.snapshot(state, at: now),
      executions: executions.map { operation, execution in
        StatusReport.Execution(
          label: label(operation),
          worker: execution.worker.description,
          elapsed: now.nanoseconds - execution.start.nanoseconds
        )
      }
    )
  }

  private static func snapshot(
    _ state: State,
    at now: Instant,
    longest: ProgressSnapshot.Longest? = nil
  ) -> ProgressSnapshot {
    ProgressSnapshot(
      finished: state.finished,
      total: state.total,
      executing: state.executing.count,
      failed: state.failed,
      elapsed: now.nanoseconds,
      longest: longest
    )
  }
}

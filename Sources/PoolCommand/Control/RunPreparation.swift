import PoolInputs
import PoolSystem

/// The time before a run begins; the run's deadline ends it, too.
///
/// Opening a FIFO and reading a pipe may take forever. A thread of its own therefore waits for the
/// deadline, and ends the process if the run has not begun by then.
package final class RunPreparation: Sendable {
  /// What is awaited before a run begins.
  package enum Step: Hashable, Sendable, CaseIterable {
    case manifest
    case inputs
    case folders
    case width
    case targets
    case history
    case journal

    /// What has not happened.
    var words: String {
      switch self {
      case .manifest: "the manifest was read"
      case .inputs: "the inputs could be read"
      case .folders: "the folders for temporary files were ready"
      case .width: "the number of -j was read"
      case .targets: "the files for results, job log and events were open"
      case .history: "the history was read"
      case .journal: "the journal was open"
      }
    }
  }

  private struct State {
    var step: Step
    var isOver = false
    var isLate = false
    var removals: [@Sendable () -> Void] = []
  }

  private let began = MonotonicClock.now
  private let state: Monitor<State>

  /// Starts with a step.
  ///
  /// After `deadline` nanoseconds, unless it is nil, calls the closure with the step that is then
  /// in progress.
  package init(
    _ step: Step,
    deadline: Int64?,
    late end: @escaping @Sendable (Step) -> Void = RunPreparation.endProcess
  ) {
    state = Monitor(State(step: step))
    guard let deadline else { return }
    let time = MonotonicClock.time(in: deadline)
    // Without the thread, the run goes on, and its deadline counts when it has begun.
    try? SystemThread.start(name: "opool-deadline", mask: .full) { [state] in
      let isOver = state.wait(until: time) { !$0.isOver }
      guard !isOver else { return }
      let late = state.withLock { state -> (Step, [@Sendable () -> Void])? in
        state.isLate = !state.isOver
        return state.isLate ? (state.step, state.removals) : nil
      }
      guard let (step, removals) = late else { return }
      for remove in removals { remove() }
      end(step)
    }.detach()
  }

  /// Nanoseconds since the start.
  package var elapsed: Int64 { MonotonicClock.now - began }

  /// What is awaited now.
  package var step: Step { state.withLock { $0.step } }

  /// Another step begins.
  package func enter(_ step: Step) { state.withLock { $0.step = step } }

  /// Something was made for the run, and is removed if the run never begins.
  package func ifLate(_ remove: @escaping @Sendable () -> Void) {
    state.withLock { $0.removals.append(remove) }
  }

  /// The run begins: from now on it ends by itself at its deadline.
  ///
  /// Returns false if the deadline came first.
  package func end() -> Bool {
    let isLate = state.withLock { state in
      state.isOver = true
      return state.isLate
    }
    state.broadcast()
    return !isLate
  }

  /// The same; does not return if the deadline came first, because another thread ends the process.
  package func endInTime() {
    if !end() { state.wait(while: { _ in true }, then: { _ in }) }
  }

  /// What a late preparation comes to: nothing was executed, and the thread that waits for a file
  /// cannot be asked to end.
  package static func endProcess(in step: Step) {
    // The standard error may have no reader.
    if SystemIO.canWrite(2) {
      CurrentProcess.complain("opool: the deadline has passed before \(step.words)")
    }
    CurrentProcess.endNow(ExitCode.deadline.rawValue)
  }
}

import PoolInputs
import PoolSystem

/// Lets the threads of a run wait for room for more input, for lines of results, and for the end.
final class RunFlowControl: Sendable {
  private struct State {
    var room = InputReadAhead()
    /// Whether everything was submitted.
    var isFed = false
    /// The exit code of a run whose input could not be read to the end.
    var inputFailure: ExitCode?
    /// Whether a thread waits until all submitted operations have settled.
    var awaitsRest = false
    /// Whether all workers are gone: nothing more is wanted.
    var isOver = false
    /// Whether lines of results wait to be written.
    var hasGathered = false
  }

  private let state = Monitor(State())

  /// Sets how much of the input may wait.
  func limitInput(to limits: InputReadAhead.Limits) {
    state.withLock { $0.room.limits = limits }
  }

  /// Operations are about to be submitted.
  func add(_ count: Int, byteCount: Int) {
    state.withLock { $0.room.add(count, byteCount: byteCount) }
  }

  /// An operation has settled.
  func remove(byteCount: Int) {
    let isAwaited = state.withLock { state in
      let isRoomy = state.room.remove(byteCount: byteCount)
      return isRoomy || state.awaitsRest && state.room.count == 0
    }
    if isAwaited { state.broadcast() }
  }

  /// Whether the input must wait.
  var isFull: Bool { state.withLock { $0.room.isFull } }

  /// Waits until there is room for more operations; false if no more are wanted.
  func waitForRoom() -> Bool {
    state.wait(while: { $0.room.isFull && !$0.isOver }, then: { !$0.isOver })
  }

  /// Waits until everything that was submitted has settled; false if the run is over.
  func waitUntilSettled() -> Bool {
    state.withLock { $0.awaitsRest = true }
    return state.wait(
      while: { $0.room.count > 0 && !$0.isOver },
      then: { state in
        state.awaitsRest = false
        return !state.isOver
      }
    )
  }

  /// Whether everything was submitted.
  var isFed: Bool { state.withLock { $0.isFed } }

  /// Everything was submitted.
  func endInput() { state.withLock { $0.isFed = true } }

  /// The exit code of a run whose input could not be read to the end; nil if it could.
  var inputFailure: ExitCode? { state.withLock { $0.inputFailure } }

  /// The rest of the input cannot be read.
  func noteInputFailure(_ code: ExitCode) { state.withLock { $0.inputFailure = code } }

  /// Lines of results wait to be written.
  func noteLines() {
    state.withLock { $0.hasGathered = true }
    state.broadcast()
  }

  /// Waits until lines wait to be written, or the run is over; false when neither came in time.
  func waitForLines(until deadline: Int64) -> Bool {
    state.wait(until: deadline, while: { !$0.isOver && !$0.hasGathered })
  }

  /// Waits until lines wait to be written, which the caller does; false when the run is over.
  func takeLines() -> Bool {
    state.wait(
      while: { !$0.isOver && !$0.hasGathered },
      then: { state in
        state.hasGathered = false
        return !state.isOver
      }
    )
  }

  /// Waits until the run is over, or some time has come.
  func waitUntilOver(until deadline: Int64) {
    _ = state.wait(until: deadline, while: { !$0.isOver })
  }

  /// Whether all workers are gone: nothing more is wanted.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// All workers are gone.
  func close() {
    state.withLock { $0.isOver = true }
    state.broadcast()
  }
}

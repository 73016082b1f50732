import PoolModel
import PoolSystem
import PoolWire

/// The teardown sequence of one command, walked by a thread of its own once it is asked for.
///
/// A second teardown sequence takes over from the first, so that somebody who loses patience is
/// heard.
final class TeardownWalk: Sendable {
  private struct State {
    /// Which teardown sequence holds.
    var teardowns = 0
    /// The signals that were sent while the command lived, and when.
    var taken: [SignalTaken] = []
    var isOver = false
    var threads: [SystemThread] = []
  }

  private let process: CommandProcess
  private let state = Monitor(State())

  init(_ process: CommandProcess) {
    self.process = process
  }

  /// Begins to walk; returns at once.
  func begin(_ teardown: PoolTeardownSequence) {
    state.withLock { state in
      guard !state.isOver else { return }
      state.teardowns += 1
      let number = state.teardowns
      let thread = try? SystemThread.start(name: "opool-teardown", mask: .full) {
        self.walk(teardown, number)
      }
      guard let thread else {
        // Nobody can wait for the graces, and the command must end all the same.
        return send(.kill, &state)
      }
      state.threads.append(thread)
    }
  }

  /// Ends the walk of a command that has ended, and returns the signals that it was sent.
  func finish() -> [SignalTaken] {
    let threads = state.withLock { state in
      state.isOver = true
      return state.threads
    }
    for thread in threads { thread.join() }
    return state.withLock { $0.taken }
  }

  private func walk(_ teardown: PoolTeardownSequence, _ number: Int) {
    for step in teardown.steps {
      // A command cannot be asked, so that a message is no step.
      guard case .signal(let signal) = step.action else { continue }
      guard send(ProcessSignal(signal), number) else { return }
      let deadline = MonotonicClock.now + .milliseconds(step.graceMilliseconds)
      if process.waitForEnd(until: deadline) { return }
    }
  }

  /// Sends a signal, if this teardown sequence still holds and the command lives.
  private func send(_ signal: ProcessSignal, _ number: Int) -> Bool {
    state.withLock { state in
      let count = state.taken.count
      if state.teardowns == number { send(signal, &state) }
      return state.taken.count > count
    }
  }

  private func send(_ signal: ProcessSignal, _ state: inout State) {
    let now = MonotonicClock.now
    if process.sendUnlessEnded(signal) { state.taken.append(SignalTaken(signal: signal, at: now)) }
  }
}

/// A signal that a command was sent to end it.
struct SignalTaken: Sendable {
  var signal: ProcessSignal
  /// Nanoseconds of the monotonic clock.
  var at: Int64

  /// As it is reported: with the time since the request to end the command.
  func step(since request: Int64) -> TeardownStepTaken {
    TeardownStepTaken(.signal(signal.number), after: max(at - request, 0) / 1_000)
  }
}

import PoolModel
import PoolSystem
import PoolWire

/// The teardown of one command: a thread of its own takes the steps of each sequence that is asked
/// for.
///
/// A second sequence replaces the first, so that a more urgent request is heard.
final class CommandTeardown: Sendable {
  private struct State {
    /// Number of sequences so far; the last one counts.
    var sequences = 0
    /// The signals that were sent while the command lived, with their times.
    var taken: [SignalTaken] = []
    var isOver = false
    /// Number of threads that are being started.
    var startingCount = 0
    var threads: [SystemThread] = []
  }

  /// The longest grace in milliseconds: a year.
  private static let longest = 31_536_000_000

  private let process: CommandProcess
  private let state = Monitor(State())

  init(_ process: CommandProcess) {
    self.process = process
  }

  /// Begins a sequence; returns at once.
  func begin(_ sequence: PoolTeardownSequence) {
    let number = state.withLock { state -> Int? in
      guard !state.isOver else { return nil }
      state.sequences += 1
      state.startingCount += 1
      return state.sequences
    }
    guard let number else { return }
    // Without the lock: starting a thread may take long.
    let thread = try? SystemThread.start(name: "opool-teardown", mask: .full) {
      self.perform(sequence, number)
    }
    state.withLock { state in
      state.startingCount -= 1
      // No thread can wait for the graces, so the command is killed at once.
      if let thread { state.threads.append(thread) } else { send(.kill, &state) }
    }
    state.broadcast()
  }

  /// Ends the teardown of a command that has ended, and returns the signals that it was sent.
  func finish() -> [SignalTaken] {
    state.withLock { $0.isOver = true }
    let threads = state.wait(while: { $0.startingCount > 0 }, then: { $0.threads })
    for thread in threads { thread.join() }
    return state.withLock { $0.taken }
  }

  private func perform(_ sequence: PoolTeardownSequence, _ number: Int) {
    for step in sequence.steps {
      // A command has no messages, so that the step does nothing.
      guard case .signal(let signal) = step.action else { continue }
      guard send(ProcessSignal(signal), number) else { return }
      let deadline = MonotonicClock.now + .milliseconds(min(step.graceMilliseconds, Self.longest))
      if process.waitForEnd(until: deadline) { return }
    }
  }

  /// Sends a signal, if this is the last sequence and the command lives.
  private func send(_ signal: ProcessSignal, _ number: Int) -> Bool {
    state.withLock { state in
      let count = state.taken.count
      if state.sequences == number { send(signal, &state) }
      return state.taken.count > count
    }
  }

  private func send(_ signal: ProcessSignal, _ state: inout State) {
    let now = MonotonicClock.now
    guard process.sendUnlessEnded(signal) else { return }
    state.taken.append(SignalTaken(signal: signal, at: now))
    // A stopped command, such as one that wanted the terminal, acts on no other signal.
    if signal.endsProcesses, signal != .kill { _ = process.sendUnlessEnded(.continue) }
  }
}

/// A signal that a command was sent to end it.
struct SignalTaken: Sendable {
  var signal: ProcessSignal
  /// Nanoseconds of the monotonic clock.
  var at: Int64

  /// The step as it is reported: with the time since the request to end the command.
  func step(since request: Int64) -> TeardownStepTaken {
    TeardownStepTaken(.signal(signal.number), after: max(at - request, 0) / 1_000)
  }
}

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
    /// The signals that the coordinator has asked for and the living command was sent, with their
    /// times.
    var taken: [SignalTaken] = []
    /// Whether the coordinator has asked for a sequence.
    var isAsked = false
    /// Whether the command was sent signals of the worker's own sequence.
    var hasOwnSignals = false
    /// Whether the command's time was over before anything asked for its end.
    var isLate = false
    var isOver = false
    /// Number of threads that are being started.
    var startingCount = 0
    var threads: [SystemThread] = []
  }

  /// The longest grace in milliseconds: a year.
  private static let longest = 31_536_000_000

  /// Starts a thread that executes a closure.
  typealias Starter =
    @Sendable (_ body: @escaping @Sendable () -> Void) throws(SystemFailure) -> SystemThread

  private let process: CommandProcess
  private let start: Starter
  private let state = Monitor(State())

  init(_ process: CommandProcess, start: @escaping Starter = CommandTeardown.startThread) {
    self.process = process
    self.start = start
  }

  /// Starts a thread of the system.
  static func startThread(
    _ body: @escaping @Sendable () -> Void
  ) throws(SystemFailure) -> SystemThread {
    try SystemThread.start(name: "opool-teardown", mask: .full, body)
  }

  /// The time that a command has to end by itself when one of its outputs was closed: 1 s.
  private static let closingGrace = Int64.milliseconds(1_000)

  /// Begins a sequence that the coordinator asks for; returns at once.
  func begin(_ sequence: PoolTeardownSequence) {
    begin(isAsked: true) { self.perform(sequence, $0) }
  }

  /// Begins a sequence when the command's time is over, unless it has ended by then.
  func end(after limit: TimeLimit) {
    let end = MonotonicClock.now.saturatingSum(limit.nanoseconds)
    let stopped = GroupCleanup.stoppedTime
    watch {
      guard !self.waitForEnd(until: end, since: stopped) else { return }
      let isFirst = self.state.withLock { state in
        if !state.isAsked, !state.isOver { state.isLate = true }
        return state.isLate
      }
      if isFirst { self.begin(limit.teardown) }
    }
  }

  /// Waits for the command's end, at most until then, and as long as it is stopped meanwhile.
  private func waitForEnd(until end: Int64, since stopped: Int64) -> Bool {
    var end = (given: end, reached: end)
    repeat {
      if process.waitForEnd(until: end.reached) { return true }
      end.reached = end.given.saturatingSum(GroupCleanup.stoppedTime - stopped)
    } while end.reached > MonotonicClock.now
    return false
  }

  /// Executes the closure on a thread of its own.
  ///
  /// Without one, the command's time is left to the coordinator, which allows more.
  private func watch(_ body: @escaping @Sendable () -> Void) {
    guard let thread = try? start(body) else { return }
    state.withLock { $0.threads.append(thread) }
  }

  /// One of its outputs was closed: the next write ends the command, and else a sequence does,
  /// unless the coordinator has asked for one.
  func endAfterClosing() {
    begin(isAsked: false) { number in
      let end = MonotonicClock.now + Self.closingGrace
      if !self.process.waitForEnd(until: end) { self.perform(.standard, number) }
    }
  }

  private func begin(isAsked: Bool, _ perform: @escaping @Sendable (_ number: Int) -> Void) {
    let number = state.withLock { state -> Int? in
      guard !state.isOver, isAsked || !state.isAsked else { return nil }
      state.isAsked = isAsked
      state.sequences += 1
      state.startingCount += 1
      return state.sequences
    }
    guard let number else { return }
    // Without the lock: starting a thread may take long.
    let thread = try? start { perform(number) }
    state.withLock { state in
      state.startingCount -= 1
      // No thread can wait for the graces, so the command is killed at once.
      if let thread { state.threads.append(thread) } else { send(.kill, &state) }
    }
    state.broadcast()
  }

  /// Ends the teardown of a command that has ended; returns the signals that the coordinator has
  /// asked for, whether any were sent, and whether that was because the command's time was over.
  func finish() -> (taken: [SignalTaken], wasTornDown: Bool, isLate: Bool) {
    state.withLock { $0.isOver = true }
    let threads = state.wait(while: { $0.startingCount > 0 }, then: { $0.threads })
    for thread in threads { thread.join() }
    return state.withLock {
      ($0.taken, $0.hasOwnSignals || !$0.taken.isEmpty, $0.isLate && !$0.taken.isEmpty)
    }
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
    state.withLock { $0.sequences == number && send(signal, &$0) }
  }

  @discardableResult
  private func send(_ signal: ProcessSignal, _ state: inout State) -> Bool {
    let now = MonotonicClock.now
    guard process.sendUnlessEnded(signal) else { return false }
    if state.isAsked {
      state.taken.append(SignalTaken(signal: signal, at: now))
    } else {
      state.hasOwnSignals = true
    }
    // A stopped command, such as one that wanted the terminal, acts on no other signal.
    if signal.endsProcesses, signal != .kill { _ = process.sendUnlessEnded(.continue) }
    return true
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

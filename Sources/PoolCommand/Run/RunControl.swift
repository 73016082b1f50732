import OperationPool
import PoolCore
import PoolModel
import PoolSystem
import Synchronization

/// What can be wanted of a run while it goes on, from any thread: to hold back, or to end early.
final class RunControl: Sendable {
  /// Why nothing is dispatched for a while.
  enum Suspension: Hashable, Sendable {
    /// It is not known yet what the workers serve.
    case fleet
    /// Outputs are written more slowly than they come.
    case printer
    /// Results are written more slowly than they come.
    case results
  }

  private struct State {
    var suspensions: Set<Suspension> = []
    var verdict: ExitCode?
    var interruptions = 0
    var hasQuit = false
    var hasDroppedOutput = false
  }

  let engine: PoolEngine
  let fleet: FleetID
  let queue: QueueID
  /// How long the end of the run waits for readers of its streams.
  let readers = ReaderWait()
  private let state = Mutex(State())

  /// Makes a pool of these workers, with one queue.
  init(
    _ workers: [PoolWorkerConfiguration],
    _ policy: PoolPolicy = PoolPolicy(),
    chaos: Chaos? = nil
  ) {
    engine = PoolEngine(policy: policy, chaos: chaos)
    fleet = engine.addFleet(workers)
    queue = engine.addQueue(to: fleet)
  }

  /// The exit code of a run that was made to end early.
  var verdict: ExitCode? { state.withLock { $0.verdict } }

  /// Whether outputs were dropped because the stream that they were for cannot be written.
  var hasDroppedOutput: Bool { state.withLock { $0.hasDroppedOutput } }

  /// Outputs were dropped because the stream that they were for cannot be written; the run goes on.
  func noteDroppedOutput() {
    state.withLock { $0.hasDroppedOutput = true }
  }

  /// An output cannot be shown, because its terminal has gone.
  ///
  /// That may be known before the signal that says it, or without one where the terminal is another
  /// than this process's own. Where hang-ups are ignored, the run goes on to its end.
  func loseTerminal() {
    noteDroppedOutput()
    if !ProcessSignal.hangUp.isIgnored { drain(as: .hungUp) }
  }

  /// Lets nothing be dispatched as long as there is a reason.
  ///
  /// Whether the reason holds is asked under the coordinator's lock, so that of two threads that
  /// disagree the one that comes last is right.
  func suspend(for reason: Suspension, while isOn: () -> Bool) {
    engine.suspend(queue) {
      state.withLock { state in
        if isOn() { state.suspensions.insert(reason) } else { state.suspensions.remove(reason) }
        return !state.suspensions.isEmpty
      }
    }
    // Which workers say nothing that cannot be printed is known only by reading them.
    if reason == .printer, !isOn() { engine.readAgain() }
  }

  /// Ends the run: what waits is cancelled, what executes is made to end.
  ///
  /// The first reason counts.
  func end(as code: ExitCode) {
    end(.cancel, as: code)
  }

  /// Begins nothing more, and lets what executes come to its end.
  func drain(as code: ExitCode) {
    end(.drain, as: code)
  }

  private func end(_ end: PoolEngine.RunEnd, as code: ExitCode) {
    state.withLock { state in
      if state.verdict == nil { state.verdict = code }
    }
    engine.end(end, of: queue, in: fleet)
    // A worker that waits for the printer could not end.
    engine.readAgain()
  }

  /// Ends the run after so many nanoseconds; see `RunEvent.deadlineCame`.
  func limit(to length: Int64) {
    engine.setRunDeadline(after: length)
  }

  /// Everything has settled: the workers end, and then the coordinator.
  func close() {
    engine.closeFleet(fleet)
  }

  /// The signals that a run has an answer to.
  static var signals: [ProcessSignal] {
    // Who starts a run with `nohup` wants it to go on; and nobody may be there to continue it.
    let optional: [ProcessSignal] =
      [.hangUp, .quit, .user1] + (CurrentProcess.canBeContinued ? [.stopTerminal] : [])
    return [.interrupt, .terminate, .continue] + optional.filter { !$0.isIgnored }
  }

  /// The user wants something of the run.
  func hear(_ signal: ProcessSignal) {
    switch signal {
    case .hangUp:
      readers.ask()
      drain(as: .hungUp)
    case .stopTerminal: stop()
    case .continue: engine.continueAll(by: signal.number)
    case .quit: quit()
    default: interrupt(by: signal)
    }
  }

  /// The user wants the run to end at once: nothing is asked first, and nothing is left.
  private func quit() {
    let isRepeated = state.withLock { state in
      defer { state.hasQuit = true }
      return state.hasQuit
    }
    // What keeps this process from ending holds up nothing else: workers end without it.
    if isRepeated { CurrentProcess.endNow(ExitCode.quit.rawValue) }
    readers.end()
    end(as: .quit)
    engine.killOperations()
  }

  /// Stops what executes, and then this process, as the terminal would have if all were of its
  /// foreground group.
  private func stop() {
    engine.stopAll(by: ProcessSignal.stopTerminal.number)
  }

  /// The user wants the run to end: the first time by the teardown sequence, then at once, then
  /// without what a worker could still say.
  private func interrupt(by signal: ProcessSignal) {
    let count = state.withLock { state in
      state.interruptions += 1
      return state.interruptions
    }
    // Who interrupts once may want what waits to be printed; who terminates wants an end.
    if count == 1, signal == .interrupt { readers.ask() } else { readers.end() }
    guard count > 1 else { return end(as: signal == .interrupt ? .interrupted : .terminated) }
    if count == 2 { engine.killOperations() } else { engine.killWorkers() }
  }
}

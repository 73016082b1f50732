import OperationPool
import PoolCore
import PoolInputs
import PoolModel
import PoolReports
import PoolSystem
import Synchronization

/// Controls a run from any thread: suspends it, drains it, or ends it early.
final class RunControl: ObservedRun, Sendable {
  /// A reason to suspend dispatching.
  enum Suspension: Hashable, Sendable {
    /// The workers have not announced yet which kinds they serve.
    case fleet
    /// Outputs are written more slowly than they arrive.
    case printer
    /// Lines are written more slowly than they arrive.
    case lines(TargetLines)
    /// Inputs are gathered, to be started in a random order.
    case order
    /// Another process has asked for it.
    case request
  }

  private struct State {
    var suspensions: Set<Suspension> = []
    var earlyExitCode: ExitCode?
    /// Whether nothing more begins, and what executes is to finish.
    var isDraining = false
    var interruptions = 0
    /// Whether everything was cancelled, so that nothing more begins.
    var hasCancelled = false
    var hasQuit = false
    /// Whether the signal of `--drain-on` has come.
    var hasDrained = false
    var hasDroppedOutput = false
  }

  let engine: PoolEngine
  let fleet: FleetID
  let queue: QueueID
  /// How long the end of the run waits for readers of its streams.
  let readers = StreamReaderWait()
  /// The workers that the user names, now and earlier.
  let roster: WorkerRoster
  /// The signal after which nothing more begins; nil for none beside SIGHUP.
  let drainSignal: ProcessSignal?
  /// The tokens of a jobserver, if each operation needs one.
  let tokens: JobTokens?
  private let state = Mutex(State())

  /// Makes a pool of these workers, with one queue.
  init(
    _ workers: [PoolWorkerConfiguration],
    _ policy: PoolPolicy = PoolPolicy(),
    roster: WorkerRoster = WorkerRoster([]),
    drainSignal: ProcessSignal? = nil,
    chaos: Chaos? = nil,
    tokens: JobTokens? = nil
  ) {
    (self.roster, self.drainSignal, self.tokens) = (roster, drainSignal, tokens)
    engine = PoolEngine(policy: policy, chaos: chaos)
    fleet = engine.addFleet(workers)
    queue = engine.addQueue(to: fleet)
  }

  /// The exit code of a run that was made to end early.
  var earlyExitCode: ExitCode? { state.withLock { $0.earlyExitCode } }

  /// Whether every operation has been cancelled.
  var hasCancelled: Bool { state.withLock { $0.hasCancelled } }

  /// Whether outputs were lost, or dropped because their stream cannot be written.
  var hasDroppedOutput: Bool { state.withLock { $0.hasDroppedOutput } }

  /// Outputs were lost, or dropped because their stream cannot be written; the run continues.
  func noteDroppedOutput() {
    state.withLock { $0.hasDroppedOutput = true }
  }

  /// An output cannot be shown, because its terminal hung up.
  ///
  /// This may be known before SIGHUP arrives; there is no signal if the terminal is not that of
  /// this process. If hang-ups are ignored, the run continues to its end.
  func loseTerminal() {
    noteDroppedOutput()
    if !ProcessSignal.hangUp.isIgnored { drain(as: .hungUp) }
  }

  /// Suspends dispatching while a target of lines is slow.
  package func suspend(for lines: TargetLines, while isSlow: () -> Bool) {
    change(.lines(lines), isSlow)
  }

  /// The thread that writes these lines has ended.
  package func noteEnd(of lines: TargetLines) { readers.note(endOf: .lines(lines)) }

  /// Why nothing is dispatched, for people; nil if something may be.
  var pause: String? {
    state.withLock { state in
      if state.earlyExitCode != nil { return "it is ending" }
      return state.suspensions.map(\.words).min()
    }
  }

  /// Whether something has made the run end early.
  package var isEnding: Bool { earlyExitCode != nil }

  /// The places of the workers that the user names; those that were withdrawn, until their last
  /// worker is gone.
  func places(
    named name: (WorkerRequest) -> String = WorkerRoster.placeName
  ) -> [WorkerRoster.Place] {
    let entries = roster.entries
    guard entries.contains(where: { $0 != nil }) else { return [] }
    let now = engine.now
    return zip(entries, engine.census(of: fleet)).enumerated().compactMap { index, place in
      guard let entry = place.0, !entry.isWithdrawn || place.1.alive > 0 else { return nil }
      let rest = place.1.restartAt.map { max($0.nanoseconds - now.nanoseconds, 0) }
      let state = PlaceState(
        name(entry.request),
        limit: entry.isWithdrawn ? place.1.alive : place.1.limit,
        starting: place.1.starting,
        isPending: place.1.mayPend,
        restartsIn: rest
      )
      return WorkerRoster.Place(configuration: index, state: state)
    }
  }

  /// The places of the workers that the user names.
  var placeStates: [PlaceState] { places().map(\.state) }

  /// Number of workers that there may be, of all places; O(workers).
  var slotCount: Int { engine.census(of: fleet).reduce(0) { $0 + $1.limit } }

  /// Suspends dispatching for a reason, until ``resume(for:)``.
  func suspend(for reason: Suspension) { change(reason) { true } }

  /// Dispatches again, unless there is another reason not to.
  func resume(for reason: Suspension) { change(reason) { false } }

  /// Suspends or resumes dispatching for a reason.
  ///
  /// The closure is called under the coordinator's lock, so that of two threads that disagree the
  /// later one counts.
  func change(_ reason: Suspension, _ isOn: () -> Bool) {
    engine.suspend(queue) {
      state.withLock { state in
        if isOn() { state.suspensions.insert(reason) } else { state.suspensions.remove(reason) }
        return !state.suspensions.isEmpty
      }
    }
    // The printer has room again: workers that were not read meanwhile are read again.
    if reason == .printer, !isOn() { engine.readAgain() }
  }

  /// Ends the run: cancels waiting operations, and tears down executing ones.
  ///
  /// The first reason counts.
  func end(as code: ExitCode) {
    end(.cancel, as: code)
  }

  /// Ends the run because something could not be stored, unless it ends already.
  func endUnstored() {
    if earlyExitCode == nil { end(as: .output) }
  }

  /// Starts nothing more; executing operations end by themselves.
  ///
  /// What ends the run before that counts instead.
  func drain(as code: ExitCode) {
    state.withLock { if $0.earlyExitCode == nil { $0.isDraining = true } }
    end(.drain, as: code)
  }

  private func end(_ end: PoolEngine.RunEnd, as code: ExitCode) {
    state.withLock { state in
      let isReplaced = state.isDraining && end == .cancel
      if isReplaced { state.isDraining = false }
      if state.earlyExitCode == nil || isReplaced { state.earlyExitCode = code }
    }
    engine.end(end, of: queue, in: fleet)
    if end == .cancel { state.withLock { $0.hasCancelled = true } }
    // A worker that waits for the printer could not end.
    engine.readAgain()
  }

  /// Ends the run after this many nanoseconds; see `RunEvent.deadlinePassed`.
  func limit(to length: Int64) {
    engine.setRunDeadline(after: length)
  }

  /// Ends the workers and then the coordinator, if everything has settled.
  func closeIfAtRest() {
    engine.closeIfAtRest(fleet)
  }

  /// The signals that a run handles.
  var signals: [ProcessSignal] {
    // `nohup`, or a script that starts this run in the background, asks for a run that goes on; and
    // a stopped run may have no shell that continues it.
    let optional: [ProcessSignal] =
      [.interrupt, .hangUp, .quit, .user1]
      + (CurrentProcess.canBeContinued ? [.stopTerminal] : [])
    let handled = [.terminate, .continue] + optional.filter { !$0.isIgnored }
    guard let drainSignal, !handled.contains(drainSignal) else { return handled }
    return handled + [drainSignal]
  }

  /// The user has sent a signal to the run.
  func receive(_ signal: ProcessSignal) {
    if signal == drainSignal, !isDrainRepeated() {
      if signal == .hangUp { readers.ask() }
      return drain(as: .drained)
    }
    switch signal {
    case .hangUp where signal != drainSignal:
      readers.ask()
      drain(as: .hungUp)
    case .stopTerminal: stop()
    case .continue: engine.continueAll(by: signal.number)
    case .quit: quit()
    default: interrupt(by: signal)
    }
  }

  /// Whether the signal that drains the run has come before.
  private func isDrainRepeated() -> Bool {
    state.withLock { state in
      defer { state.hasDrained = true }
      return state.hasDrained
    }
  }

  /// Ends the run, and waits for no reader of its streams.
  func endNow(as code: ExitCode) {
    readers.end()
    readers.endStorage()
    end(as: code)
  }

  /// Ends the run at once: kills all processes, without asking them first.
  private func quit() {
    let isRepeated = state.withLock { state in
      defer { state.hasQuit = true }
      return state.hasQuit
    }
    // A thread that keeps this process from ending does not keep the workers from it.
    if isRepeated {
      tokens?.close()
      CurrentProcess.endNow(ExitCode.quit.rawValue)
    }
    readers.end()
    end(as: .quit)
    engine.killOperations()
  }

  /// Stops the executing operations and then this process, as a terminal does with its foreground
  /// group.
  private func stop() {
    engine.stopAll(by: ProcessSignal.stopTerminal.number)
  }

  /// Ends the run at the user's request: the first time by the teardown sequence, then at once,
  /// then without the last messages of workers.
  private func interrupt(by signal: ProcessSignal) {
    let count = state.withLock { state in
      state.interruptions += 1
      return state.interruptions
    }
    // After one Ctrl-C the user may want the waiting output; SIGTERM asks for the end.
    if count == 1, signal == .interrupt { readers.ask() } else { readers.end() }
    readers.endStorage()
    let code: ExitCode = signal == drainSignal ? .drained : .terminated
    guard count > 1 else { return end(as: signal == .interrupt ? .interrupted : code) }
    if count == 2 { engine.killOperations() } else { engine.killWorkers() }
  }
}

extension RunControl.Suspension {
  fileprivate var words: String {
    switch self {
    case .fleet: "the workers have not greeted yet"
    case .printer: "its outputs are read more slowly than they come"
    case .lines(let lines): "\(lines.name) are read more slowly than they come"
    case .order: "inputs are gathered for their random order"
    case .request: "it was paused by 'opool pause'"
    }
  }
}

import OperationPool
import PoolInputs
import PoolModel
import PoolReports
import PoolSystem
import Synchronization

/// Lets operations start one by one, when the policy allows it; also applies the width in the width
/// file.
///
/// It has its own thread, which measures and waits. The engine dispatches only as many operations
/// as it has permits for, so no worker has an operation early.
final class StartGate: Sendable {
  struct State {
    var policy: StartPolicy
    var ledger = PermitLedger()
    /// Why nothing starts; nil if something may.
    var hold: String?
    /// Whether something has happened since the thread last looked.
    var isPoked = false
    var isClosed = false
  }

  private let control: RunControl
  private let width: WidthFile?
  /// Maximum number of operations that execute at once, unless the width file says it.
  private let slots: Atomic<Int>
  /// Whether the user names workers, of which a relay may bring any number.
  private let hasOwnWorkers: Bool
  private let meters: Bool
  private let limits: StartPolicy.Limits
  let state: Monitor<State>

  /// Nil where operations may start as soon as a worker is free.
  init?(_ options: SharedOptions, _ width: RunWidth, _ control: RunControl) {
    limits = StartPolicy.Limits(
      delay: options.starts.delay,
      load: options.starts.load?.value(cores: Processors.available),
      memory: options.starts.memory,
      judgesEnds: options.halt != nil
    )
    slots = Atomic(width.atStart)
    hasOwnWorkers = !options.workers.isEmpty
    meters = limits != StartPolicy.Limits() || control.tokens != nil
    guard meters || width.file != nil else { return nil }
    self.control = control
    self.width = width.file.map { WidthFile($0, width.atStart) }
    state = Monitor(State(policy: StartPolicy(limits)))
    if let number = self.width?.width { control.engine.setWidth(number, of: control.queue) }
    if meters { control.engine.meter(control.queue) { _, _ in 0 } }
  }

  /// Throws if something must be measured that the system does not tell.
  func check() throws(RunFailure) {
    let measures = measure()
    if limits.load != nil, measures.load == nil {
      throw RunFailure(.usage, "--load: this system does not tell its load average")
    }
    if limits.memory != nil, measures.memory == nil {
      throw RunFailure(
        .usage,
        "--memfree: this system does not tell how much memory is available"
      )
    }
  }

  /// Starts the thread.
  func open(telling messages: RunMessages) throws(SystemFailure) {
    try control.tokens?.open { self.poke { _ in } }
    try SystemThread.start(name: "opool-starts", mask: .full) {
      var teller = HoldMessages(self.limits)
      var next = MonotonicClock.now
      while self.wait(until: next) { next = self.turn(messages, &teller) }
    }.detach()
  }

  /// The run is over.
  func close() {
    control.tokens?.close()
    poke { $0.isClosed = true }
  }

  /// Why no further operation starts, for people; nil if one may, or if that changes at once.
  var hold: String? { state.withLock { $0.hold } }

  /// So many operations may execute at once from now on.
  func scale(to count: Int) {
    slots.store(count, ordering: .relaxed)
    poke { _ in }
  }

  /// Operations were submitted.
  func noteSubmission() {
    if control.tokens != nil { poke { _ in } }
  }

  /// An operation was given to a worker.
  func noteDispatch(of operation: Int) {
    guard meters else { return }
    let now = control.engine.now
    poke { state in
      state.ledger.noteDispatch()
      state.policy.noteStart(of: operation, at: now)
    }
  }

  /// A worker has begun with an operation.
  func noteStart(of operation: Int, at now: Instant) {
    guard meters else { return }
    state.withLock { $0.policy.noteStart(of: operation, at: now) }
  }

  /// An attempt of an operation has ended.
  func noteEnd(of operation: Int) {
    guard meters else { return }
    poke { $0.policy.noteEnd(of: operation) }
  }

  private func poke(_ change: (inout State) -> Void) {
    state.withLock { state in
      change(&state)
      state.isPoked = true
    }
    state.broadcast()
  }

  /// Waits until something has happened, or until that time of the clock; false when the run is
  /// over.
  private func wait(until deadline: Int64) -> Bool {
    _ = state.wait(until: deadline) { !$0.isPoked && !$0.isClosed }
    return state.withLock { state in
      state.isPoked = false
      return !state.isClosed
    }
  }

  /// Measures and decides; returns when to do that again.
  private func turn(_ messages: RunMessages, _ teller: inout HoldMessages) -> Int64 {
    let isCoarse = width == nil && control.tokens == nil
    let interval = isCoarse ? StartPolicy.interval : WidthFile.interval
    if let width, let change = width.readAgain() {
      if let number = change.width { control.engine.setWidth(number, of: control.queue) }
      messages.say(change.message, always: change.width == nil, verbose: change.width != nil)
    }
    guard meters else { return MonotonicClock.now + interval }
    let measures = measure()
    let now = control.engine.now
    var seen = PoolEngine.Starts(ready: 0, assigned: 0, permits: 0)
    var decision = StartPolicy.Decision.start
    control.engine.meter(control.queue) { starts, hasComeBack in
      seen = starts
      decision = state.withLock { state in
        state.policy.noteReturns(hasComeBack)
        return state.policy.decision(at: now, measures)
      }
      let mayStart = decision == .start && hasToken(for: starts)
      seen.permits = state.withLock { $0.ledger.permits(starts, mayStart, at: now) }
      return seen.permits
    }
    noteTokens(seen, decision)
    note(decision, seen, teller)
    if let (message, isNews) = teller.message(about: decision, seen) {
      messages.say(message, verbose: !isNews)
    }
    let rest = decision.next(after: now, within: interval)
    return MonotonicClock.now + rest
  }

  private func note(
    _ decision: StartPolicy.Decision,
    _ seen: PoolEngine.Starts,
    _ teller: HoldMessages
  ) {
    let hasToken = decision != .start || seen.permits > 0 || control.tokens == nil
    let hold = hasToken ? teller.hold(of: decision) : "a token of the jobserver is waited for"
    state.withLock { $0.hold = hold }
  }

  /// Whether one more operation has a token; no token is kept for operations that are still to
  /// come.
  private func hasToken(for starts: PoolEngine.Starts) -> Bool {
    guard let tokens = control.tokens else { return true }
    return starts.assigned == 0 || starts.ready > 0 && tokens.covers(starts.assigned)
  }

  /// Takes tokens for the slots in use and for the next start, and gives others back.
  private func noteTokens(_ starts: PoolEngine.Starts, _ decision: StartPolicy.Decision) {
    guard let tokens = control.tokens else { return }
    let isWaiting =
      decision == .start && starts.permits == 0 && starts.ready > 0
      && starts.assigned < slotCount
    tokens.note(starts.assigned + starts.permits, isWaiting: isWaiting)
  }

  /// How many operations may execute at once, as far as workers and `-j` say.
  private var slotCount: Int {
    if let width { return width.width }
    return hasOwnWorkers ? control.slotCount : slots.load(ordering: .relaxed)
  }

  private func measure() -> StartPolicy.Measures {
    StartPolicy.Measures(
      load: limits.load == nil ? nil : MachineLoad.average,
      memory: limits.memory == nil ? nil : AvailableMemory.byteCount,
      width: slotCount
    )
  }
}

extension StartPolicy.Decision {
  /// Nanoseconds until it must be asked again.
  func next(after now: Instant, within interval: Int64) -> Int64 {
    guard case .hold(_, let until) = self else { return interval }
    return max(min(until.nanoseconds - now.nanoseconds, interval), 0)
  }
}

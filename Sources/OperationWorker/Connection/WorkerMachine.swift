import PoolModel
import PoolWire

/// Every decision of the worker's loop, without process, thread, lock or clock.
///
/// Each event of the main thread, the I/O thread and the coordinator is a method.
/// `CoordinatorConnection` calls them under its lock and does what they return.
struct WorkerMachine {
  /// What the main thread does next.
  enum Step: Equatable {
    /// Executes this operation.
    case execute(Execute)
    /// Reads what the coordinator sends.
    case read
    /// Waits until the I/O thread hands the reading back.
    case wait
    /// Returns.
    case end(Ending)
  }

  /// What the I/O thread does next.
  enum Look: Equatable {
    /// Looks again after a pause.
    case pause
    /// Sleeps until an operation executes.
    case rest
    /// Reads until it has handed back.
    case read
  }

  /// What a request to stop applies to.
  enum CancelTarget {
    /// An operation that was prefetched and is now gone.
    case prefetched
    /// The operation that executes, and the way to stop it.
    case executing(CancelHandle?)
    /// None: the request came too late.
    case nothing
  }

  /// Looks in a row at a main thread without an operation before the I/O thread rests.
  static let looksBeforeRest = 20

  private(set) var state = State.reading(.resting)
  private(set) var welcome: Welcome?
  private var queue = PrefetchQueue()
  private var isDraining = false
  /// Whether an operation that comes twice is ignored.
  private var ignoresRepetitions = false
  /// The last dispatch that came, if so.
  private var lastDispatch: DispatchNumber?
  /// Whether the coordinator may be on another machine.
  private(set) var isBehindLink = false
}

// MARK: - The main thread

extension WorkerMachine {
  /// The last operation has ended, or something was read: returns the next step.
  ///
  /// The closure says whether an operation starts a process.
  mutating func next(startsProcess: (Execute) -> Bool = { _ in false }) -> Step {
    let reader: Reader
    switch state {
    case .executing(_, let current): reader = current
    case .reading: reader = .none(hasRead: true)
    case .over(let ending, _): return end(ending)
    case .waiting: preconditionFailure("the main thread takes no step until it is woken")
    }
    guard let operation = queue.popFirst() else {
      return isDraining ? end(Ending()) : idle(reader)
    }
    let starts = startsProcess(operation)
    state = .executing(Execution(reference: operation.reference, startsProcess: starts), reader)
    return .execute(operation)
  }

  private mutating func end(_ ending: Ending) -> Step {
    state = .over(ending, nil)
    return .end(ending)
  }

  /// The main thread reads, unless the I/O thread does.
  private mutating func idle(_ reader: Reader) -> Step {
    if case .io = reader {
      state = .waiting
      return .wait
    }
    if case .executing = state { state = .reading(.looking(0)) }
    return .read
  }

  /// The executing operation's beginning was sent, or it has ended: returns whether the main thread
  /// now reads the input that is there.
  mutating func beginGlance() -> Bool {
    switch state {
    case .executing(let execution, .none):
      state = .executing(execution, .main)
      return true
    case .executing(let execution, .io):
      state = .executing(execution, .io(isMainBack: true))
      return false
    default: return false
    }
  }

  /// The main thread has read the input, and executes the operation, or has executed it.
  mutating func endGlance() {
    guard case .executing(let execution, .main) = state else { return }
    state = .executing(execution, .none(hasRead: true))
  }
}

// MARK: - The I/O thread

extension WorkerMachine {
  /// Number of operations that wait.
  var prefetchedCount: Int { queue.count }

  /// Whether the main thread waits until the I/O thread hands the reading back.
  var isMainWaiting: Bool { if case .waiting = state { true } else { false } }

  /// Whether the I/O thread sleeps until an operation executes.
  var isIOThreadResting: Bool { if case .reading(.resting) = state { true } else { false } }

  /// Whether the I/O thread looks again soon, and then sends waiting messages.
  var isIOThreadLooking: Bool { if case .executing(_, .none) = state { true } else { false } }

  /// Whether an operation executes that starts a process, which takes a millisecond by itself.
  var executesProcess: Bool { execution?.startsProcess ?? false }

  /// Whether unsent messages may wait for one more look: a process executes that has begun since
  /// the previous one.
  ///
  /// Most processes have ended by then, so that this need not wake the coordinator. At the next
  /// look the I/O thread begins to read.
  func waitsForNext(_ look: Look?) -> Bool { look == .pause && executesProcess }

  /// The I/O thread looks at what the main thread does; nil at the end.
  mutating func look() -> Look? {
    switch state {
    case .reading(.looking(let count)):
      let rests = count + 1 >= Self.looksBeforeRest
      state = .reading(rests ? .resting : .looking(count + 1))
      return rests ? .rest : .pause
    case .executing(let execution, .none(let hasRead)):
      state = .executing(execution, hasRead ? .none(hasRead: false) : .io(isMainBack: false))
      return hasRead ? .pause : .read
    case .executing(_, .main): return .pause
    case .over: return nil
    case .reading(.resting), .waiting, .executing(_, .io):
      preconditionFailure("the I/O thread looks only when it neither rests nor reads")
    }
  }

  /// The I/O thread has read something: returns whether it goes on reading, or else has handed
  /// back.
  mutating func keepsReading() -> Bool {
    switch state {
    case .executing(let execution, .io(isMainBack: true)):
      state = .executing(execution, .none(hasRead: false))
      return false
    case .waiting where !queue.isEmpty || isDraining:
      state = .reading(.looking(0))
      return false
    case .waiting, .executing(_, .io): return true
    case .over: return false
    case .executing, .reading: preconditionFailure("only the thread that reads hands it back")
    }
  }
}

// MARK: - The coordinator

extension WorkerMachine {
  /// The conversation begins.
  mutating func accept(_ welcome: Welcome) throws(Violation) {
    guard self.welcome == nil else { throw .unexpected("a second 'welcome'") }
    guard welcome.version == 1 else {
      throw .unexpected("version \(welcome.version), which was not offered")
    }
    self.welcome = welcome
  }

  /// Takes operations to execute, after those that it has; leaves an empty list.
  mutating func prefetch(_ operations: inout [Execute]) throws(Violation) {
    guard welcome != nil else { throw .unexpected("an 'execute' before its 'welcome'") }
    if ignoresRepetitions { removeRepeated(&operations) }
    queue.append(&operations)
  }

  /// From here on, an operation that comes twice is ignored: dispatch numbers only rise.
  mutating func ignoreRepetitions() { ignoresRepetitions = true }

  /// The coordinator may be on another machine.
  mutating func noteLink() { isBehindLink = true }

  private mutating func removeRepeated(_ operations: inout [Execute]) {
    operations.removeAll { operation in
      let number = operation.reference.dispatch
      if let lastDispatch, number.rawValue <= lastDispatch.rawValue { return true }
      lastDispatch = number
      return false
    }
  }

  /// Takes back an operation that has not started; returns whether there was one.
  mutating func recall(_ reference: DispatchReference) -> Bool { queue.remove(reference) }

  /// Finds the operation to stop; an executing one stores the request.
  mutating func cancel(
    _ reference: DispatchReference,
    _ sequence: PoolTeardownSequence,
    at now: Int64
  ) -> CancelTarget {
    guard executing == reference else { return recall(reference) ? .prefetched : .nothing }
    requestCancel(sequence, at: now)
    return .executing(execution?.handle)
  }

  private mutating func requestCancel(_ sequence: PoolTeardownSequence, at now: Int64) {
    update { $0.stop = CancelRequest(sequence: sequence, since: $0.stop?.since ?? now) }
  }

  /// The worker ends when it has executed everything.
  mutating func drain() { isDraining = true }

  /// The worker ends at the first opportunity; returns the executing operation, which is to be
  /// asked to stop.
  mutating func fail(_ failure: PoolWorkerError, at now: Int64) -> Execution? {
    requestCancel(.immediate, at: now)
    state = .over(Ending(failure: ending?.failure ?? failure), execution)
    return execution
  }

  /// No more input will come: the worker ends at once; returns the executing operation.
  mutating func endInput() -> Execution? {
    state = .over(Ending(failure: ending?.failure, isInputEnded: true), execution)
    return execution
  }

  /// Why the worker ends; nil as long as it does not.
  var ending: Ending? { if case .over(let ending, _) = state { ending } else { nil } }
}

// MARK: - The operation that executes

extension WorkerMachine {
  /// The operation that executes.
  var execution: Execution? {
    switch state {
    case .executing(let execution, _): execution
    case .over(_, let execution): execution
    case .reading, .waiting: nil
    }
  }

  /// Names the operation that executes.
  var executing: DispatchReference? { execution?.reference }

  /// Whether a process is being started, which has no handle yet.
  var isSpawning: Bool { execution?.isSpawning ?? false }

  /// The executing operation is about to start a process.
  mutating func prepareSpawn() { update { $0.isSpawning = true } }

  /// No process is about to be started any more; returns whether there was one.
  mutating func abandonSpawn() -> Bool {
    guard isSpawning else { return false }
    update { $0.isSpawning = false }
    return true
  }

  /// Learns how to stop the operation; returns the teardown sequence if it was asked to already.
  mutating func register(
    _ handle: CancelHandle,
    for reference: DispatchReference
  ) -> PoolTeardownSequence? {
    guard executing == reference else { return nil }
    update { execution in
      execution.isSpawning = false
      execution.handle = handle
    }
    return execution?.stop?.sequence
  }

  private mutating func update(_ change: (inout Execution) -> Void) {
    switch state {
    case .executing(var execution, let reader):
      change(&execution)
      state = .executing(execution, reader)
    case .over(let ending, .some(var execution)):
      change(&execution)
      state = .over(ending, execution)
    case .reading, .waiting, .over: break
    }
  }
}

import PoolModel
import PoolWire

/// What a worker has been sent and has not done: the decisions behind its loop, without the loop.
///
/// An operation is held, then executing, then gone. Only what is held can be recalled; a request
/// about an operation that is neither held nor executing came too late and changes nothing.
struct WorkerInbox {
  /// What the executor does next.
  enum Step: Equatable {
    /// Executes this operation, which now counts as executing, and behind which so many are held.
    case execute(Execute, held: Int)
    /// Reads what the coordinator has sent.
    case read
    /// Waits until there is more, which the I/O thread reads.
    case wait
    /// Ends.
    case end
  }

  /// What a request to stop applies to.
  enum CancelTarget: Equatable {
    /// An operation that was held and is now gone.
    case held
    /// The operation that executes.
    case executing
    /// None: it came too late.
    case nothing
  }

  private var held = PrefetchedOperations()

  /// The operation that executes.
  private(set) var executing: DispatchReference?
  /// How to stop it, where it can be stopped.
  private(set) var handle: StopHandle?
  /// The teardown sequence by which it was asked to stop.
  private(set) var teardown: PoolTeardownSequence?
  /// Whether the executing operation is starting a process that has no handle yet.
  var isSpawning = false

  /// Who reads.
  var turns = ReadingTurns()

  private(set) var welcome: Welcome?
  private var isDraining = false
  /// Whether no more input will come.
  private(set) var hasEnded = false
  /// Why the worker must stop.
  private(set) var failure: PoolWorkerError?
}

// MARK: - Input

extension WorkerInbox {
  /// The conversation begins.
  mutating func accept(_ welcome: Welcome) throws(Violation) {
    guard self.welcome == nil else { throw .unexpected("a second 'welcome'") }
    guard welcome.version == 1 else {
      throw .unexpected("version \(welcome.version), which was not offered")
    }
    self.welcome = welcome
  }

  /// Takes operations to execute, after those that are held; leaves an empty list.
  mutating func accept(_ operations: inout [Execute]) throws(Violation) {
    guard welcome != nil else { throw .unexpected("an 'execute' before its 'welcome'") }
    held.append(&operations)
  }

  /// Takes back an operation that has not started; returns whether there was one.
  mutating func recall(_ reference: DispatchReference) -> Bool {
    held.remove(reference)
  }

  /// Finds what is to be stopped; the teardown sequence is kept for an operation that executes.
  mutating func cancel(
    _ reference: DispatchReference,
    _ teardown: PoolTeardownSequence
  ) -> CancelTarget {
    if executing == reference {
      self.teardown = teardown
      return .executing
    }
    return recall(reference) ? .held : .nothing
  }

  /// The worker ends when it has done what it holds.
  mutating func drain() { isDraining = true }

  /// No more input will come: the worker ends at once.
  mutating func end() { hasEnded = true }

  /// The worker stops at the first opportunity, and so does what executes.
  mutating func fail(_ failure: PoolWorkerError) {
    if self.failure == nil { self.failure = failure }
    // For a process that is just being started, and cannot be stopped yet.
    teardown = .immediate
  }
}

// MARK: - Execution

extension WorkerInbox {
  /// Forgets what executed until now, and says what comes next.
  mutating func next() -> Step {
    executing = nil
    handle = nil
    teardown = nil
    turns.endWaiting()
    if isOver { return .end }
    guard let operation = held.popFirst() else {
      if isDraining { return .end }
      return turns.beginReading() ? .read : .wait
    }
    executing = operation.reference
    return .execute(operation, held: held.count)
  }

  /// Whether nothing is to be executed any more.
  var isOver: Bool { hasEnded || failure != nil }

  /// Whether the executor has nothing to do.
  var isIdle: Bool { held.isEmpty && !isDraining && !isOver }

  /// The executor has dealt with what it read; returns whether it must call the I/O thread.
  mutating func endReading() -> Bool {
    turns.endReading(executes: executing != nil || !isIdle)
  }

  /// Learns how to stop the executing operation; returns the teardown sequence if it was asked to
  /// already.
  mutating func register(
    _ handle: StopHandle?,
    for reference: DispatchReference
  ) -> PoolTeardownSequence? {
    isSpawning = false
    guard executing == reference else { return nil }
    self.handle = handle
    return teardown
  }
}

/// How to stop an executing operation.
struct StopHandle: Sendable {
  /// Begins to stop it, by the teardown sequence; returns at once.
  var ask: @Sendable (PoolTeardownSequence) -> Void
  /// Kills whatever process executes it; returns soon.
  var kill: @Sendable () -> Void
}

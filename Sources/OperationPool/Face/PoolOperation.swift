import PoolCore
public import PoolModel
import PoolSystem
import Synchronization

/// One unit of work that is executed once, in a worker process; Foundation's `Operation`.
///
/// An operation is made, perhaps told what it depends on, and added to one
/// ``PoolOperationQueue``. It may be used from any thread. Make one of the subclasses:
/// ``PoolTypedOperation``, ``PoolInvocationOperation``, ``PoolCommandOperation``,
/// ``PoolBlockOperation`` or ``PoolAsyncBlockOperation``.
///
/// `@unchecked Sendable`, because a class with subclasses cannot be checked: what is stored is
/// constant or behind the lock.
public class PoolOperation: @unchecked Sendable {
  /// Ready, executing and finished exclude each other; the fourth is neither.
  public enum State: Hashable, Sendable {
    /// It waits for a dependency.
    case pending
    /// It can be executed.
    case ready
    /// A worker executes it.
    case executing
    /// It has its outcome.
    case finished
  }

  /// A name for people.
  public let name: String

  /// The kind of operation: which of the worker's bodies executes it.
  public let kind: String

  /// Which operations of a queue are executed first when several are ready.
  public let queuePriority: PoolQueuePriority

  /// How much of the machine its execution deserves.
  public let qualityOfService: PoolQualityOfService

  /// The longest execution of one attempt, in seconds; nil for no limit.
  public let timeout: Double?

  /// How often it is executed again after an attempt that failed, timed out or was lost.
  public let retries: Int

  private let book = Mutex(Book())

  /// What threads wait on for any operation; it guards nothing.
  private static let waiters = Monitor(())

  /// What changes in the life of an operation.
  private struct Book {
    var home: Home?
    var dependencies: [Dependency] = []
    var outcome: PoolOutcome?
    var isCancelled = false
    var isAdded = false
    /// Whether it and all that it waits for were added, so that it can be on no circle any more.
    var isClosed = false
    var hasWaiters = false
    var awaiting: [CheckedContinuation<Void, Never>] = []
  }

  /// The queue that knows the operation, and under which number.
  struct Home {
    var queue: QueueClient
    var id: OperationID
  }

  struct Dependency {
    var operation: PoolOperation
    var requirement: PoolRequirement
  }

  init(kind: String, _ options: PoolOperationOptions) {
    self.kind = kind
    name = options.name ?? kind
    queuePriority = options.queuePriority
    qualityOfService = options.qualityOfService
    timeout = options.timeout
    retries = options.retries
  }

  deinit {
    if let home = book.withLock({ $0.home }) { home.queue.coordinator.release(home.id) }
    // Letting go of a chain of a million must not recurse a million deep.
    var orphans = takeDependencies()
    while var orphan = orphans.popLast() {
      guard isKnownUniquelyReferenced(&orphan) else { continue }
      orphans += orphan.takeDependencies()
    }
  }

  /// Takes the operation's dependencies away; nobody but the caller holds them afterwards.
  private func takeDependencies() -> [PoolOperation] {
    book.withLock { book in
      defer { book.dependencies = [] }
      return book.dependencies.map(\.operation)
    }
  }

  /// Whether it goes on after the call that starts it has returned, which all but blocks do.
  public var isAsynchronous: Bool { true }

  /// What an in-process worker executes; asked at each dispatch, on the coordinator's thread.
  func inProcessBody() -> InProcessBody {
    .blocks([{ [kind] in throw PoolError(.noWorker, "the kind '\(kind)' is that of blocks") }])
  }

  /// The operation's input as JSON, made when it is added to a queue.
  func encodedPayload() throws(PoolError) -> [UInt8] {
    Array("null".utf8)
  }
}

// MARK: - State

extension PoolOperation {
  /// Where the operation stands; mirrored from what its worker reports.
  public var state: State {
    let (outcome, home, dependencies) = book.withLock { ($0.outcome, $0.home, $0.dependencies) }
    if outcome != nil { return .finished }
    guard let home else {
      return dependencies.allSatisfy(\.operation.isFinished) ? .ready : .pending
    }
    switch home.queue.coordinator.ask({ $0.phase(of: home.id) }) {
    case .pending: return .pending
    case .ready: return .ready
    case .executing: return .executing
    case .finished: return .finished
    }
  }

  /// Whether it can be executed now.
  public var isReady: Bool { state == .ready }

  /// Whether a worker executes it.
  public var isExecuting: Bool { state == .executing }

  /// Whether it has ended; its ``outcome`` may follow a moment later.
  public var isFinished: Bool { state == .finished }

  /// Whether somebody has asked for its cancellation; within a block of its own, also whether its
  /// timeout has passed.
  public var isCancelled: Bool { book.withLock { $0.isCancelled } || isAskedToStopHere }

  /// How it ended; nil until it has, and its queue has let go of it.
  public var outcome: PoolOutcome? { book.withLock { $0.outcome } }

  /// Asks the operation to end: before it executes it never will; while it executes, the
  /// termination ladder begins; when it has finished, nothing happens.
  public func cancel() {
    let home = book.withLock { book in
      book.isCancelled = book.isCancelled || book.outcome == nil
      return book.home
    }
    guard let home else { return }
    home.queue.coordinator.tell { machine, now in machine.cancel(home.id, at: now) }
  }
}

// MARK: - Dependencies

extension PoolOperation {
  /// What the operation waits for, in the order in which it was told so.
  public var dependencies: [PoolOperation] {
    book.withLock { $0.dependencies.map(\.operation) }
  }

  /// Lets this operation wait for another one.
  ///
  /// As in Foundation, it does not matter how the other ends, unless a requirement says so: then
  /// this operation is skipped where the other ends otherwise. To be called before the operation
  /// is added to a queue; later it has no effect.
  public func addDependency(
    _ operation: PoolOperation,
    requiring requirement: PoolRequirement = .finished
  ) {
    book.withLock { book in
      guard !book.isAdded, !book.dependencies.contains(where: { $0.operation === operation }) else {
        return
      }
      book.dependencies.append(Dependency(operation: operation, requirement: requirement))
    }
  }
}

// MARK: - Waiting

extension PoolOperation {
  /// Waits until the operation has finished; blocks the thread.
  public func waitUntilFinished() {
    book.withLock { $0.hasWaiters = true }
    Self.waiters.wait(while: { _ in outcome == nil }, then: { _ in })
  }

  /// Waits until the operation has finished, and returns how.
  @discardableResult
  public func finished() async -> PoolOutcome {
    while true {
      if let outcome { return outcome }
      await withCheckedContinuation { continuation in
        let isOver = book.withLock { book in
          if book.outcome == nil { book.awaiting.append(continuation) }
          return book.outcome != nil
        }
        if isOver { continuation.resume() }
      }
    }
  }
}

// MARK: - For the queue

extension PoolOperation {
  /// What becomes of an operation that a queue wants to add.
  enum Claim {
    /// It is the queue's from here on.
    case granted(hasDependencies: Bool)
    case alreadyAdded
    case ofOtherQueue
  }

  /// Marks the operation as added; one that waits for nothing is on no circle.
  func claim(for queue: QueueClient) -> Claim {
    book.withLock { book in
      if let home = book.home, home.queue !== queue { return .ofOtherQueue }
      guard !book.isAdded else { return .alreadyAdded }
      book.isAdded = true
      book.isClosed = book.dependencies.isEmpty
      return .granted(hasDependencies: !book.dependencies.isEmpty)
    }
  }

  /// Takes the mark back, because the queue refused the batch.
  func unclaim() {
    book.withLock { book in
      book.isAdded = false
      book.isClosed = false
    }
  }

  /// The queue that knows the operation, if one does.
  var owner: QueueClient? { book.withLock { $0.home?.queue } }

  var requirements: [Dependency] { book.withLock { $0.dependencies } }

  /// Whether the operation can be on a circle that is complete: it was added, has not finished,
  /// and something that it waits for may not have been added.
  var mayCloseCircle: Bool {
    book.withLock { $0.isAdded && !$0.isClosed && $0.outcome == nil }
  }

  /// Whether the operation can be on no circle: it and all that it waits for were added.
  var isClosed: Bool {
    get { book.withLock { $0.isClosed || $0.outcome != nil } }
    set { book.withLock { $0.isClosed = newValue } }
  }

  /// Somebody has asked for its cancellation together with that of the whole queue.
  func markCancelled() {
    book.withLock { $0.isCancelled = true }
  }

  /// Where the operation is known, or becomes known through the closure.
  func home(or make: () -> Home) -> Home {
    book.withLock { book in
      if let home = book.home { return home }
      let home = make()
      book.home = home
      return home
    }
  }

  /// The operation has its outcome.
  func finish(_ outcome: PoolOutcome) {
    let (awaiting, hasWaiters) = book.withLock { book in
      book.outcome = outcome
      defer { book.awaiting = [] }
      return (book.awaiting, book.hasWaiters)
    }
    for continuation in awaiting { continuation.resume() }
    guard hasWaiters else { return }
    // Taken once, so that whoever was about to wait does, and then hears this.
    Self.waiters.withLock { _ in }
    Self.waiters.broadcast()
  }
}

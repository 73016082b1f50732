import Dispatch
import PoolCore
public import PoolModel
import PoolSystem
import Synchronization

/// One unit of work that is executed once; Foundation's `Operation`.
///
/// An operation is made, perhaps told what it depends on, and added to one ``PoolOperationQueue``.
/// It may be used from any thread. Make one of the subclasses: ``PoolTypedOperation``,
/// ``PoolInvocationOperation`` and ``PoolCommandOperation`` are executed by worker processes,
/// ``PoolBlockOperation``, ``PoolAsyncBlockOperation`` and ``PoolGroupOperation`` by this one.
///
/// `@unchecked Sendable`, because a class with subclasses cannot be checked: what is stored is
/// constant or behind the lock.
public class PoolOperation: @unchecked Sendable {
  /// Ready, executing and finished exclude each other; the fourth is neither.
  public enum State: Hashable, Sendable {
    /// It waits for a dependency, a gate or a condition.
    case pending
    /// It can be executed.
    case ready
    /// A worker executes it.
    case executing
    /// It has its outcome.
    case finished
  }

  /// The kind of operation: which of the worker's bodies executes it.
  public let kind: String

  /// What was said of the operation when it was made, beyond what it does.
  ///
  /// Its name, priority and quality of service may have changed since.
  public let options: PoolOperationOptions

  let book: Mutex<Book>

  /// What threads wait on for any operation; it guards nothing.
  static let waiters = Monitor(())

  /// What changes in the life of an operation.
  ///
  /// Its lock may be taken while the coordinator's is held, and never the other way round.
  struct Book {
    /// What the machine calls it, once it knows it.
    var id: OperationID?
    var name: String?
    var priority: PoolQueuePriority
    var qualityOfService: PoolQualityOfService
    var dependencies = DependencyList()
    var conditions: [PoolCondition] = []
    var completionBlock: (@Sendable () -> Void)?
    /// The queue that it is in.
    var queue: QueueCore?
    var isAdded = false
    /// Who asked for its cancellation first.
    var canceller: PoolCancellation.Origin?
    var outcome: PoolOutcome?
    var progress: PoolProgress?
    var hasWaiters = false
    var awaiting: [CheckedContinuation<Void, Never>] = []
    /// Those who observe it, if anybody does.
    var watchers: OperationWatchers?
    /// The group that it is a member of, and what tells that apart from others without touching it:
    /// its end must not come under this lock.
    weak var group: PoolGroupOperation?
    var groupKey: ObjectIdentifier?
    /// What others that it depends on made for it, by name.
    var inputs: [OperationInput] = []
    /// What it makes for others; they keep it.
    weak var product: InputContent?
    /// What Foundation's operations can depend on.
    var mirror: FoundationMirror?
  }

  init(kind: String, _ options: PoolOperationOptions) {
    self.kind = kind
    self.options = options.normalized
    book = Mutex(
      Book(
        name: options.name,
        priority: options.queuePriority,
        qualityOfService: options.qualityOfService
      )
    )
  }

  deinit {
    book.withLock { $0.mirror }?.end(isCancelled: true)
    if let id = book.withLock({ $0.id }) {
      OperationRegistry.process.release(id, categories: options.exclusive)
    }
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
      defer { book.dependencies = DependencyList() }
      return book.dependencies.operations
    }
  }

  /// Whether it goes on after the call that starts it has returned, which all but blocks do.
  public var isAsynchronous: Bool { true }

  /// What an in-process worker executes; asked at each dispatch, on the coordinator's thread.
  func inProcessBody() -> InProcessBody {
    .blocks([{ [kind] in throw PoolError(.noWorker, "the kind '\(kind)' is that of blocks") }])
  }

  /// The operation's input as JSON, made when it is added to a queue; nil for one whose input is
  /// made from what it depends on.
  func encodedPayload() throws(PoolError) -> [UInt8]? {
    Array("null".utf8)
  }

  /// The operation's input, made when all that it depends on has ended.
  ///
  /// Asked only of an operation that has no ``encodedPayload()``.
  func preparedPayload() async throws(PoolError) -> [UInt8] {
    Array("null".utf8)
  }

  /// Whether its input is made from what it depends on.
  var makesInputLate: Bool { false }

  /// Tells the core what is special about this sort of operation.
  func specify(_ spec: inout OperationSpec) {}

  /// The operation was cancelled; what it consists of follows.
  func cancelMembers() {}

  /// The operation has finished; what it consists of must, too.
  func concludeMembers(in queue: QueueCore?) {}
}

// MARK: - What it is

extension PoolOperation {
  /// A name for people; nil where none was given.
  public var name: String? {
    get { book.withLock { $0.name } }
    set { book.withLock { $0.name = newValue } }
  }

  /// What messages call it: its name, or its kind.
  var label: String { name ?? kind }

  /// Which operations are executed first when several are ready; may be changed until it is
  /// executed, in O(1).
  public var queuePriority: PoolQueuePriority {
    get { book.withLock { $0.priority } }
    set { setPriority(newValue) }
  }

  private func setPriority(_ priority: PoolQueuePriority) {
    OperationRegistry.process.update { shared, _ in
      let id = book.withLock { book in
        let old = book.priority
        book.priority = priority
        if old != priority {
          tell(book, .queuePriority, from: .priority(old), to: .priority(priority))
        }
        return book.id
      }
      if let id { shared.machine.setPriority(priority, of: id) }
    }
  }

  /// How much of the machine its execution deserves; `default` takes the queue's.
  ///
  /// What is set once it executes comes too late. See <doc:QualityOfService> for what each of the
  /// five means to the system.
  public var qualityOfService: PoolQualityOfService {
    get { book.withLock { $0.qualityOfService } }
    set { book.withLock { $0.qualityOfService = newValue } }
  }

  /// The quality of service that holds in a queue.
  func effectiveQualityOfService(in queue: QueueCore) -> PoolQualityOfService {
    let own = qualityOfService
    return own == .default ? queue.settings.withLock { $0.qualityOfService } : own
  }

  /// The quality of service as the thread priority of old, from 0.0 to 1.0, 0.5 being the default.
  ///
  /// Each of the five classes stands for a fifth of the range; a value is moved to the nearest.
  public var threadPriority: Double {
    get { qualityOfService.threadPriority }
    set { qualityOfService = PoolQualityOfService(threadPriority: newValue) }
  }

  /// The longest execution of one attempt, in seconds; nil for no limit.
  public var timeout: Double? { options.timeout }

  /// Called once when the operation has finished, in whatever way, on some thread of the queue's
  /// ``PoolOperationQueue/underlyingQueue``; then it is let go.
  ///
  /// One that is set when the operation has finished is called at once.
  public var completionBlock: (@Sendable () -> Void)? {
    get { book.withLock { $0.completionBlock } }
    set { setCompletionBlock(newValue) }
  }

  private func setCompletionBlock(_ block: (@Sendable () -> Void)?) {
    // Returned, so that what the old one keeps is let go outside the lock.
    _ = book.withLock { book in
      let old = book.completionBlock
      guard book.outcome == nil else {
        if let block { callLate(book, block) }
        return old
      }
      book.completionBlock = block
      tell(book, .completionBlock, from: .block(old), to: .block(block))
      return old
    }
  }
}

// MARK: - State

extension PoolOperation {
  /// Where the operation stands; mirrored from what its worker reports.
  public var state: State {
    let (outcome, id) = book.withLock { ($0.outcome, $0.id) }
    if outcome != nil { return .finished }
    // One that the machine does not know depends on nothing.
    guard let id else { return .ready }
    switch OperationRegistry.process.coordinator.ask({ $0.phase(of: id) }) {
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
  public var isCancelled: Bool { book.withLock { $0.canceller != nil } || isAskedToStopHere }

  /// How it ended; nil until it has, and its queue has let go of it.
  public var outcome: PoolOutcome? { book.withLock { $0.outcome } }

  /// How far it has come, as it said last; nil where it says nothing.
  public var progress: PoolProgress? { book.withLock { $0.progress } }

  /// Asks the operation to end: before it executes it never will; while it executes, the
  /// termination ladder begins; when it has finished, nothing happens.
  ///
  /// One that waits leaves at once, whatever it waits for. One that is in no queue is marked, and
  /// ends when it is added to one or started.
  public func cancel() {
    cancel(as: .operation)
  }

  func cancel(as canceller: PoolCancellation.Origin) {
    OperationRegistry.process.update { shared, now in
      let id = book.withLock { $0.id }
      // The machine knows first that it has finished.
      if let id, shared.machine.phase(of: id) == .finished { return }
      markCancelled(by: canceller)
      if let id { shared.machine.cancel(id, at: now) }
    }
    cancelMembers()
  }
}

// MARK: - For the queue

extension PoolOperation {
  /// What the machine calls the operation, which it gets to know if it does not.
  func register(_ shared: inout Coordinator.Shared) -> OperationID {
    if let id = book.withLock({ $0.id }) { return id }
    let (priority, isCancelled, needsPreparation) = book.withLock { book in
      let isDemanding = !book.conditions.isEmpty || !book.inputs.isEmpty
      return (book.priority, book.canceller != nil, isDemanding)
    }
    var spec = OperationSpec(
      kind: shared.kind(kind),
      priority: priority,
      timeout: options.timeout.map { Int64.seconds(max($0, 0)) },
      retries: options.retryPolicy?.count ?? options.retries
    )
    spec.retryRule = options.retryPolicy?.rule
    spec.slots = options.slots
    spec.isBarrier = options.isBarrier
    spec.lendsPriority = options.lendsPriority
    spec.needsPreparation = needsPreparation || makesInputLate
    spec.claims = claims(&shared)
    specify(&spec)
    let id = shared.machine.create(spec)
    if isCancelled { shared.machine.cancel(id, at: .zero) }
    book.withLock { $0.id = id }
    return id
  }

  private func claims(_ shared: inout Coordinator.Shared) -> [ResourceID] {
    guard !options.exclusive.isEmpty || !options.limits.isEmpty else { return [] }
    return options.exclusive.map { shared.enter($0) } + options.limits.map(\.resource)
  }

  /// The queue that it is in.
  var queue: QueueCore? { book.withLock { $0.queue } }

  /// Somebody has asked for its cancellation, and the machine is about to be told.
  func markCancelled(by canceller: PoolCancellation.Origin) {
    book.withLock { book in
      if book.outcome == nil, book.canceller == nil { book.canceller = canceller }
    }
  }

  func progressed(_ progress: PoolProgress) {
    book.withLock { $0.progress = progress }
  }

  /// The operation has its outcome, and has left its queue.
  ///
  /// First the outcome can be seen; then those who wait are woken, then those who observe are told,
  /// and then the completion block is called. What depends on it may be executing already.
  func finish(_ outcome: PoolOutcome, _ report: AttemptReport) {
    let (queue, before, tellStreams) = book.withLock { book in
      book.outcome = outcome
      let before = book.hasListeners ? book : nil
      let queue = book.queue
      book.awaiting = []
      book.completionBlock = nil
      // An operation that is kept keeps neither its queue nor the queue's workers.
      book.queue = nil
      book.inputs = []
      return (queue, before, before.flatMap { tellEnd($0, outcome) })
    }
    if let before { tell(before, outcome, report, tellStreams) }
    concludeMembers(in: queue)
  }

  /// Tells all who wait for the end of the operation, as it was before.
  private func tell(
    _ before: Book,
    _ outcome: PoolOutcome,
    _ report: AttemptReport,
    _ tellStreams: (@Sendable () -> Void)?
  ) {
    before.product?.fill(from: report)
    for continuation in before.awaiting { continuation.resume() }
    if before.hasWaiters {
      // Taken once, so that whoever was about to wait does, and then hears this.
      Self.waiters.withLock { _ in }
      Self.waiters.broadcast()
    }
    tellStreams?()
    if before.watchers == nil, let completion = before.completionBlock {
      before.callbackQueue.async(execute: completion)
    }
    before.mirror?.end(isCancelled: outcome.ending == .cancelled)
  }
}

extension PoolOperation.Book {
  /// Whether anybody is to be told of the end; most operations are only looked at afterwards, and
  /// a copy of all this costs more than their executing.
  fileprivate var hasListeners: Bool {
    hasWaiters || !awaiting.isEmpty || completionBlock != nil || watchers != nil
      || product != nil || mirror != nil
  }

  /// Where blocks of the user's are called.
  var callbackQueue: DispatchQueue { queue?.callbackQueue ?? .global() }
}

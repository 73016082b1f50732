import Dispatch
import PoolContents
import PoolCore
import PoolModel
import PoolSystem
import PoolWire
import Synchronization

// The execution and the end of an operation.

extension PoolOperation {
  /// The description for its worker; asked at each dispatch, while it is in a queue.
  var execution: OperationExecution {
    var (execution, queue) = life.withLock { life in
      var execution = OperationExecution(
        kind: kind,
        qualityOfService: life.inheritableQualityOfService,
        payload: life.payload
      )
      execution.name = life.name
      if life.hasColdState, life.outputLines != nil { execution.outputs = .live }
      return (execution, life.queue)
    }
    guard let queue else { preconditionFailure("an operation that is executed is in a queue") }
    queue.settings.withLock { settings in
      execution.queueName = settings.name
      execution.qualityOfService = settings.qualityOfService(of: execution.qualityOfService)
    }
    return execution
  }

  /// Its own quality of service, its groups', or its queue's, while it is in a queue.
  var effectiveQualityOfService: PoolQualityOfService {
    let (own, queue) = life.withLock { ($0.inheritableQualityOfService, $0.queue) }
    guard let queue, !queue.hasDefaults else { return own }
    return queue.settings.withLock { $0.qualityOfService(of: own) }
  }

  /// Passes kind and payload to the closure, if its worker needs nothing else.
  func withPlainContent(_ body: (_ kind: String, _ payload: [UInt8]) -> Bool) -> Bool {
    guard !sendsOutputLimits else { return false }
    return life.withLock { life in
      guard life.name == nil, !life.hasColdState || !life.takesInputs && life.outputLines == nil,
        life.inheritableQualityOfService == .default, life.queue?.hasDefaults == true
      else { return false }
      return body(kind, life.payload)
    }
  }

  /// Stores the first origin of its cancellation.
  func markCancelled(by canceller: PoolCancellation.Origin) {
    life.withLock { life in
      if life.settlement == nil, life.canceller == nil { life.canceller = canceller }
    }
  }

  func progressed(_ progress: PoolProgress) {
    life.withLock { $0.progress = progress }
  }

  /// The operation has its outcome and has left its queue, which is returned if it counts it.
  ///
  /// The outcome becomes visible together with the queue's transition: who sees it may drop the
  /// queue. Then observers are told; then waiting threads and tasks wake; then the completion block
  /// is called. Dependents may be executing already.
  func finish(
    _ settlement: Settlement,
    _ report: consuming AttemptReport,
    number: Int,
    observers: QueueObservers? = nil
  ) -> QueueCore? {
    // An outcome lives as long as its operation, and must not hold a file open for so long.
    if report.hasOutput { report = report.keeping(outputLimits) }
    switch settlement.cause {
    case .dependency: report = AttemptReport(note: skipNote(root: settlement.root))
    case .member: report = AttemptReport(note: memberNote(root: settlement.root))
    default: break
    }
    // Moved from here on: a copy would count a reference for each operation.
    var lasting: AttemptReport? = consume report
    var isLarge = false
    var keepsList = false
    let turnEnd = OperationRegistry.process.turnEnd
    let (queue, isMember, notification) = life.withLock { life in
      life.settlement = settlement
      if let observers { keepsList = observers.note(nil, number, of: self, until: turnEnd) }
      if let report = lasting.take() { life.report = report }
      if QueueCore.hasAnyUnderlyingQueue.load(ordering: .relaxed),
        let queue = life.queue?.underlyingQueue
      {
        life.ownColdState().lastCallbackQueue = queue
      }
      let notification =
        life.hasColdState || life.observers != nil ? makeNotification(&life, number) : nil
      // A finished operation that is still referenced must not hold its queue or the queue's
      // workers.
      isLarge = life.payload.count >= 4_096
      life.payload = []
      // A group counts for its members.
      let isMember = life.hasColdState && life.groupKey != nil
      return (life.queue.take(), isMember, notification)
    }
    if isLarge { dropInput() }
    if keepsList, let observers, let queue {
      observers.finished(self, number, on: queue.callbackQueue)
    }
    if let notification { tell(notification) }
    return isMember ? nil : queue
  }

  /// Tells the observers of the end, and takes the other receivers of the notification; the lock is
  /// held.
  ///
  /// Holds no reference to the cold state: with a second reference it would be copied.
  private func makeNotification(_ life: inout Life, _ number: Int) -> EndNotification? {
    let isObserved = life.observers != nil
    var block = life.hasColdState ? life.ownColdState().completionBlock.take() : nil
    block?.operation = self
    if isObserved { tellEnd(life, block, number) }
    guard block != nil || life.coldState?.hasFollowers == true else { return nil }
    // Observers are told first, and then have it called.
    let completion = isObserved ? nil : block
    let queue = completion == nil ? nil : life.coldState?.lastCallbackQueue
    guard isObserved || queue != nil || life.coldState?.hasFollowers == true else {
      if let completion { OperationRegistry.process.completions.append(completion) }
      return nil
    }
    let isCancelled = life.settlement?.ending == .cancelled
    let notification = EndNotification(mirror: life.mirror, isCancelled: isCancelled)
    notification.waiters = life.waiters.takeAll()
    if let completion { notification.completion = (completion, queue) }
    notification.called = block
    return notification
  }

  /// The receivers to notify of the end, once no lock is held.
  ///
  /// Behind a reference, because most operations have none, and a copy of these fields would cost
  /// more than executing a short operation.
  private final class EndNotification {
    let mirror: FoundationMirror?
    let isCancelled: Bool
    var waiters = EndWaiters()
    var completion: (block: CompletionBlock, queue: DispatchQueue?)?
    /// Released with this object outside the lock, with what the block holds.
    var called: CompletionBlock?

    init(mirror: FoundationMirror?, isCancelled: Bool) {
      self.mirror = mirror
      self.isCancelled = isCancelled
    }
  }

  /// Notifies the receivers of the end.
  private func tell(_ notification: EndNotification) {
    notification.waiters.wakeAll()
    let registry = OperationRegistry.process
    if let (block, queue) = notification.completion {
      if let queue { queue.async { block() } } else { registry.completions.append(block) }
    }
    notification.mirror?.end(isCancelled: notification.isCancelled)
  }
}

extension PoolOperation.ColdState {
  /// Whether anyone must be notified when no lock is held.
  fileprivate var hasFollowers: Bool { !waiters.isEmpty || mirror != nil }
}

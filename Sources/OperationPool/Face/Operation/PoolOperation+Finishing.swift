import Dispatch
import PoolCore
import PoolModel
import PoolSystem
import PoolWire
import Synchronization

// An operation is executed, and ends.

extension PoolOperation {
  /// What its worker needs; asked at each dispatch, while it is in a queue.
  var execution: OperationExecution {
    var (execution, queue) = book.withLock { book in
      var execution = OperationExecution(
        kind: kind,
        qualityOfService: book.qualityOfService,
        payload: book.payload
      )
      execution.name = book.name
      return (execution, book.queue)
    }
    execution.operation = self
    guard let queue else { preconditionFailure("an operation that is executed is in a queue") }
    queue.settings.withLock { settings in
      execution.queueName = settings.name
      execution.qualityOfService = settings.qualityOfService(of: execution.qualityOfService)
    }
    return execution
  }

  /// Gives the closure what its worker is sent, where that is no more than its kind and payload.
  func withPlainContent(_ body: (_ kind: String, _ payload: [UInt8]) -> Bool) -> Bool {
    book.withLock { book in
      guard book.name == nil, !book.hasColdState || !book.takesInputs,
        book.qualityOfService == .default, book.queue?.hasDefaults == true
      else { return false }
      return body(kind, book.payload)
    }
  }

  /// Notes the first origin of its cancellation.
  func markCancelled(by canceller: PoolCancellation.Origin) {
    book.withLock { book in
      if book.settlement == nil, book.canceller == nil { book.canceller = canceller }
    }
  }

  func progressed(_ progress: PoolProgress) {
    book.withLock { $0.progress = progress }
  }

  /// The operation has its outcome, and has left its queue, which is returned.
  ///
  /// The outcome is visible first; then waiting threads and tasks wake, then observers are told, then
  /// the completion block is called. What depends on it may be executing already.
  func finish(
    _ settlement: Settlement,
    _ report: consuming AttemptReport,
    number: Int
  ) -> QueueCore? {
    // An outcome lives as long as its operation, and must not keep a file open for so long.
    if report.hasFiles { report = report.withoutFiles }
    // Moved from here on: a copy is a reference to be counted, for each operation.
    var lasting: AttemptReport? = consume report
    var isLarge = false
    let (queue, notification) = book.withLock { book in
      book.settlement = settlement
      if let report = lasting.take() { book.report = report }
      let notification = book.hasColdState ? makeNotification(&book, number) : nil
      // An operation that is kept keeps neither its queue nor the queue's workers.
      isLarge = book.payload.count >= 4_096
      book.payload = []
      return (book.queue.take(), notification)
    }
    if isLarge { dropInput() }
    if let notification { tell(notification) }
    concludeMembers(in: queue)
    return queue
  }

  /// Takes what is needed to tell of the end; the lock is held.
  private func makeNotification(_ book: inout Book, _ number: Int) -> EndNotification? {
    guard book.coldState?.hasListeners == true else { return nil }
    if book.coldState?.hasCompletionAlone == true, book.queue?.underlyingQueue == nil {
      let completion = book.ownColdState().completionBlock.take()
      if let completion { OperationRegistry.process.completions.append(completion) }
      return nil
    }
    guard let outcome = book.outcome else { return nil }
    let notification = EndNotification(
      streams: tellEnd(book, outcome, number),
      mirror: book.mirror,
      isCancelled: outcome.ending == .cancelled
    )
    notification.waiters = book.waiters.takeAll()
    if let completion = book.completionBlock {
      book.completionBlock = nil
      // Observers are told first, and then have it called.
      if book.watchers == nil { notification.completion = (completion, book.queue?.underlyingQueue) }
    }
    return notification
  }

  /// What is needed to tell of the end, once no lock is held.
  ///
  /// Behind a reference, because most operations have none, and a copy of all this costs more than
  /// their executing.
  private final class EndNotification {
    let streams: OperationWatchers.EndOfStreams?
    let mirror: FoundationMirror?
    let isCancelled: Bool
    var waiters = EndWaiters()
    var completion: (block: @Sendable () -> Void, queue: DispatchQueue?)?

    init(
      streams: OperationWatchers.EndOfStreams?,
      mirror: FoundationMirror?,
      isCancelled: Bool
    ) {
      self.streams = streams
      self.mirror = mirror
      self.isCancelled = isCancelled
    }
  }

  /// Tells of the end.
  private func tell(_ notification: EndNotification) {
    notification.waiters.wakeAll()
    let registry = OperationRegistry.process
    notification.streams?.tell(at: registry.turnEnd)
    if let (block, queue) = notification.completion {
      if let queue { queue.async(execute: block) } else { registry.completions.append(block) }
    }
    notification.mirror?.end(isCancelled: notification.isCancelled)
  }
}

extension PoolOperation.ColdState {
  /// Whether there is anything to tell of the end.
  fileprivate var hasListeners: Bool {
    completionBlock != nil || !waiters.isEmpty || watchers != nil || mirror != nil
  }

  /// Whether all that there is to tell of the end is a completion block's matter.
  fileprivate var hasCompletionAlone: Bool {
    completionBlock != nil && waiters.isEmpty && watchers == nil && mirror == nil
  }
}

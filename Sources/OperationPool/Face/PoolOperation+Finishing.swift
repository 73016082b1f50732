import Dispatch
import PoolCore
import PoolModel
import PoolSystem
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
      if !book.inputs.isEmpty {
        execution.inputs = book.inputs.map { ExecutionInput(name: $0.name, $0.content) }
      }
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

  /// Somebody has asked for its cancellation, and the machine is about to be told.
  func markCancelled(by canceller: PoolCancellation.Origin) {
    book.withLock { book in
      if book.outcome == nil, book.canceller == nil { book.canceller = canceller }
    }
  }

  func progressed(_ progress: PoolProgress) {
    book.withLock { $0.progress = progress }
  }

  /// The operation has its outcome, and has left its queue, which is returned with it.
  ///
  /// First the outcome can be seen; then those who wait are woken, then those who observe are told,
  /// and then the completion block is called. What depends on it may be executing already.
  func finish(_ settlement: Settlement, _ report: AttemptReport) -> (
    outcome: PoolOutcome,
    queue: QueueCore?
  ) {
    // An outcome lives as long as its operation, and must not keep a file open for so long.
    let lasting = report.withoutFiles
    let (outcome, queue, before, tellStreams) = book.withLock { book in
      let outcome = PoolOutcome(settlement, lasting, cancelledBy: book.canceller)
      book.outcome = outcome
      let before = book.hasListeners ? book : nil
      let queue = book.queue
      book.awaiting = []
      book.completionBlock = nil
      // An operation that is kept keeps neither its queue nor the queue's workers.
      book.queue = nil
      book.inputs = []
      book.payload = []
      return (outcome, queue, before, before.flatMap { tellEnd($0, outcome) })
    }
    if let before { tell(before, outcome, report, tellStreams) }
    concludeMembers(in: queue)
    return (outcome, queue)
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
}

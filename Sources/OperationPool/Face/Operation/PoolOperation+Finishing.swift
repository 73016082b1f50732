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
    let (queue, farewell) = book.withLock { book in
      book.settlement = settlement
      if let report = lasting.take() { book.report = report }
      let farewell = book.hasColdState ? makeFarewell(&book, number) : nil
      // An operation that is kept keeps neither its queue nor the queue's workers.
      book.payload = []
      return (book.queue.take(), farewell)
    }
    if let farewell { tell(farewell) }
    concludeMembers(in: queue)
    return queue
  }

  /// Returns what is needed to tell of the end, and lets go of the rest; the lock is held.
  private func makeFarewell(_ book: inout Book, _ number: Int) -> Farewell? {
    guard let outcome = book.outcome else { return nil }
    let farewell =
      book.hasListeners ? Farewell(book, outcome, tellEnd(book, outcome, number)) : nil
    book.waiters = EndWaiters()
    book.completionBlock = nil
    return farewell
  }

  /// What is needed to tell of the end, once no lock is held: the operation as it was before, and
  /// what tells the streams.
  ///
  /// Behind a reference, because most operations are only looked at afterwards, and a copy of all
  /// this costs more than their executing.
  private final class Farewell {
    let book: Book
    let outcome: PoolOutcome
    let tellStreams: (@Sendable () -> Void)?

    init(_ book: Book, _ outcome: PoolOutcome, _ tellStreams: (@Sendable () -> Void)?) {
      self.book = book
      self.outcome = outcome
      self.tellStreams = tellStreams
    }
  }

  /// Tells of the end.
  private func tell(_ farewell: Farewell) {
    let before = farewell.book
    before.waiters.wakeAll()
    farewell.tellStreams?()
    if before.watchers == nil, let completion = before.completionBlock {
      before.callbackQueue.async(execute: completion)
    }
    before.mirror?.end(isCancelled: farewell.outcome.ending == .cancelled)
  }
}

extension PoolOperation.Book {
  /// Whether there is anything to tell of the end.
  fileprivate var hasListeners: Bool {
    !self.waiters.isEmpty || self.completionBlock != nil
      || self.watchers != nil || self.mirror != nil
  }
}

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
  /// The outcome is visible first; then observers are told, waiting threads and tasks wake, and the
  /// completion block is called. What depends on it may be executing already.
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
    let (queue, farewell) = book.withLock { book in
      book.settlement = settlement
      if let report = lasting.take() { book.report = report }
      let farewell = book.hasColdState ? makeFarewell(&book, number) : nil
      // An operation that is kept keeps neither its queue nor the queue's workers.
      isLarge = book.payload.count >= 4_096
      book.payload = []
      return (book.queue.take(), farewell)
    }
    if isLarge { dropInput() }
    if let farewell { tell(farewell) }
    concludeMembers(in: queue)
    return queue
  }

  /// Tells the observers of the end, and takes what is needed to tell others; the lock is held.
  ///
  /// Without a reference to the cold state: a second one would have it copied.
  private func makeFarewell(_ book: inout Book, _ number: Int) -> Farewell? {
    guard book.coldState?.hasListeners == true else { return nil }
    let isObserved = book.coldState?.watchers != nil
    if isObserved { tellEnd(&book, number) }
    let block = book.ownColdState().completionBlock.take()
    // Observers are told first, and then have it called.
    let completion = isObserved ? nil : block
    let queue = completion == nil ? nil : book.queue?.underlyingQueue
    guard queue != nil || book.coldState?.hasFollowers == true else {
      if let completion { OperationRegistry.process.completions.append(completion) }
      return nil
    }
    let farewell = Farewell(mirror: book.mirror, isCancelled: book.settlement?.ending == .cancelled)
    farewell.waiters = book.waiters.takeAll()
    if let completion { farewell.completion = (completion, queue) }
    return farewell
  }

  /// What is needed to tell of the end, once no lock is held.
  ///
  /// Behind a reference, because most operations have none, and a copy of all this costs more than
  /// their executing.
  private final class Farewell {
    let mirror: FoundationMirror?
    let isCancelled: Bool
    var waiters = EndWaiters()
    var completion: (block: CompletionBlock, queue: DispatchQueue?)?

    init(mirror: FoundationMirror?, isCancelled: Bool) {
      self.mirror = mirror
      self.isCancelled = isCancelled
    }
  }

  /// Tells of the end.
  private func tell(_ farewell: Farewell) {
    farewell.waiters.wakeAll()
    let registry = OperationRegistry.process
    if let (block, queue) = farewell.completion {
      if let queue { queue.async(execute: block.call) } else { registry.completions.append(block) }
    }
    farewell.mirror?.end(isCancelled: farewell.isCancelled)
  }
}

extension PoolOperation.ColdState {
  /// Whether there is anything to tell of the end.
  fileprivate var hasListeners: Bool {
    completionBlock != nil || watchers != nil || hasFollowers
  }

  /// Whether there is anything to tell without a lock.
  fileprivate var hasFollowers: Bool { !waiters.isEmpty || mirror != nil }
}

import PoolCore
public import PoolModel
import Synchronization

// What an operation is told about itself.

extension PoolOperation {
  /// A name for people; nil where none was given.
  public var name: String? {
    get { book.withLock { $0.name } }
    set { book.withLock { $0.name = newValue } }
  }

  /// What messages call it: its name, or its kind and its number once it has one.
  var label: String {
    let (name, id) = book.withLock { ($0.name, $0.id) }
    return name ?? id.map { "\(kind) \($0)" } ?? kind
  }

  /// The same, with a number for one that had none; not to be asked under the engine's lock.
  var numberedLabel: String {
    let isKnown = book.withLock { $0.name != nil || $0.id != nil }
    if !isKnown {
      OperationRegistry.process.update(ifWanted: true) { transaction in
        _ = register(&transaction)
      }
    }
    return label
  }

  /// Which operations are executed first when several are ready; may be changed until it is
  /// executed, in O(1).
  public var queuePriority: PoolQueuePriority {
    get { book.withLock { $0.priority } }
    set { setPriority(newValue) }
  }

  private func setPriority(_ priority: PoolQueuePriority) {
    OperationRegistry.process.update { transaction in
      let id = book.withLock { book in
        let old = book.priority
        book.priority = priority
        if old != priority {
          tell(book, .queuePriority, from: .priority(old), to: .priority(priority))
        }
        return book.id
      }
      if let id { transaction.change(.setPriority(priority, of: id)) }
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

  /// The quality of service as the thread priority of old, from 0.0 to 1.0, 0.5 being the default.
  ///
  /// Each of the five classes stands for a fifth of the range; a value is moved to the nearest.
  public var threadPriority: Double {
    get { qualityOfService.threadPriority }
    set { qualityOfService = PoolQualityOfService(threadPriority: newValue) }
  }

  /// The longest execution of one attempt; nil for no limit.
  public var timeout: Duration? { options.timeout }

  /// Called once when the operation has finished, in whatever way, on some thread of the queue's
  /// ``PoolOperationQueue/underlyingQueue``; then it is let go.
  ///
  /// One that is set when the operation has finished is called at once.
  public var completionBlock: (@Sendable () -> Void)? {
    get { book.withLock { $0.completionBlock }?.call }
    set { setCompletionBlock(newValue) }
  }

  private func setCompletionBlock(_ block: (@Sendable () -> Void)?) {
    // Returned, so that what the old one keeps is let go outside the lock.
    _ = book.withLock { book -> CompletionBlock? in
      guard book.settlement == nil else {
        if let block { callLate(book, block) }
        return nil
      }
      var old = block.map { CompletionBlock(call: $0) }
      swap(&old, &book.ownColdState().completionBlock)
      if book.watchers != nil {
        tell(book, .completionBlock, from: .block(old?.call), to: .block(block))
      }
      return old
    }
  }
}

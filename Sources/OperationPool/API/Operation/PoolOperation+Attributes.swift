import PoolCore
public import PoolModel
import Synchronization

// The properties of an operation.

extension PoolOperation {
  /// A name for people; nil if it has none.
  public var name: String? {
    get { life.withLock { $0.name } }
    set { life.withLock { $0.name = newValue } }
  }

  /// Its name in messages: the name, or the kind, with the number if it has one.
  var label: String {
    let (name, id) = life.withLock { ($0.name, $0.id) }
    return name ?? id.map { "\(kind) \($0)" } ?? kind
  }

  /// Like `label`, but gives an operation without a number one; not to be called under the engine's
  /// lock.
  var numberedLabel: String {
    let isKnown = life.withLock { $0.name != nil || $0.id != nil }
    if !isKnown {
      OperationRegistry.process.update(ifWanted: true) { transaction in
        _ = register(&transaction)
      }
    }
    return label
  }

  /// The order of execution among operations that are ready; may be changed until it is executed,
  /// in O(1).
  public var queuePriority: PoolQueuePriority {
    get { life.withLock { $0.priority } }
    set { setPriority(newValue) }
  }

  private func setPriority(_ priority: PoolQueuePriority) {
    OperationRegistry.process.update { transaction in
      let id = life.withLock { life in
        let old = life.priority
        life.priority = priority
        if old != priority {
          tell(life, .queuePriority, from: .priority(old), to: .priority(priority))
        }
        return life.id
      }
      if let id { transaction.change(.setPriority(priority, of: id)) }
    }
  }

  /// The share of the machine's resources for its execution; `default` means its group's, else the
  /// queue's.
  ///
  /// Changes have no effect once it executes. <doc:QualityOfService> says what each of the five
  /// classes means to the system.
  public var qualityOfService: PoolQualityOfService {
    get { life.withLock { $0.qualityOfService } }
    set { life.withLock { $0.qualityOfService = newValue } }
  }

  /// The quality of service as Foundation's older thread priority, from 0.0 to 1.0; the default is
  /// 0.5.
  ///
  /// Each of the five classes covers a fifth of the range; a value is rounded to the nearest class.
  public var threadPriority: Double {
    get { qualityOfService.threadPriority }
    set { qualityOfService = PoolQualityOfService(threadPriority: newValue) }
  }

  /// The longest execution of one attempt; nil for no limit.
  public var timeout: Duration? { options.timeout }

  /// Called once when the operation has finished, in any way, on a thread of the queue's
  /// ``PoolOperationQueue/underlyingQueue``; then it is released.
  ///
  /// The operation lives until the block has returned. If it is set after the operation has
  /// finished, it is called at once.
  public var completionBlock: (@Sendable () -> Void)? {
    get { life.withLock { $0.completionBlock }?.call }
    set { setCompletionBlock(newValue) }
  }

  private func setCompletionBlock(_ block: (@Sendable () -> Void)?) {
    // Returned from the closure, so that the old block is released outside the lock.
    _ = life.withLock { life -> CompletionBlock? in
      guard life.settlement == nil else {
        if let block { callLate(life, CompletionBlock(call: block, operation: self)) }
        return nil
      }
      var old = block.map { CompletionBlock(call: $0) }
      swap(&old, &life.ownColdState().completionBlock)
      if life.observers != nil {
        tell(life, .completionBlock, from: .block(old?.call), to: .block(block))
      }
      return old
    }
  }
}

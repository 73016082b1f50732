import PoolCore
import PoolModel

// Waits that could never end: a block that waits for what its own operation holds up.
//
// A wait is the block's own on the block's thread, and in the task that executes the block. A task
// that the block has started may outlive it, so nothing is said there.

extension PoolOperation {
  /// Throws if the caller is a block without whose end this operation cannot end; the queue is its
  /// own, or that to which it is about to be added.
  func demandProgress(in queue: QueueCore? = nil) throws(PoolError) {
    guard let caller = BlockExecution.ofCaller, outcome == nil else { return }
    guard caller !== self else { throw .deadlock("'\(label)' would wait for itself") }
    guard !caller.enclosingGroups.contains(where: { $0 === self }) else {
      throw .deadlock("'\(caller.label)' would wait for '\(label)', its own group")
    }
    let (own, others) = (caller.holdings(), holdings(in: queue))
    let (isBlocked, waits) = OperationRegistry.process.update(ifWanted: true) { transaction in
      let (id, other) = (register(&transaction), caller.register(&transaction))
      let hasBegun = transaction.phase(of: id) == .executing
      let isBlocked =
        !hasBegun && others.contains { one in own.contains { $0.blocks(one, transaction) } }
      return (isBlocked, transaction.waits(id, for: other))
    }
    guard waits || isBlocked else { return }
    let obstacle = waits ? "which waits for it" : "which their queue executes after it"
    throw .deadlock("'\(caller.label)' would wait for '\(label)', \(obstacle)")
  }

  /// The queues whose slots it takes, with its groups.
  private func holdings(in queue: QueueCore? = nil) -> [Holding] {
    let all: [PoolOperation] = [self] + enclosingGroups
    return all.compactMap { operation in
      let own = operation === self ? queue ?? operation.queue : operation.queue
      return own.map { Holding(operation: operation, queue: $0) }
    }
  }
}

/// An operation, and the queue that has its slots.
private struct Holding {
  let operation: PoolOperation
  let queue: QueueCore

  /// Whether the two do not fit into their queue at once.
  func blocks(_ other: Self, _ transaction: borrowing PoolEngine.Transaction) -> Bool {
    guard queue === other.queue, operation !== other.operation else { return false }
    let width = transaction.width(of: queue.id)
    return width > 0 && min(slots, width) > width - min(other.slots, width)
  }

  private var slots: Int { max(operation.special?.options.slots ?? 1, 1) }
}

extension QueueCore {
  /// Throws if the caller is a block that the queue waits for.
  func demandOutside() throws(PoolError) {
    guard let caller = BlockExecution.ofCaller, caller.isInside(self) else { return }
    throw .deadlock("'\(caller.label)' would wait for the queue that it is in")
  }

  /// Throws if the caller is a block of the queue, which executes one operation at a time.
  func demandWidth() throws(PoolError) {
    guard let caller = BlockExecution.ofCaller, caller.isInside(self),
      Self.engine.read({ $0.width(of: id) }) == 1
    else { return }
    let obstacle = "which its queue executes after it"
    throw .deadlock("'\(caller.label)' would wait for operations of the map, \(obstacle)")
  }
}

extension PoolError {
  fileprivate static func deadlock(_ sentence: String) -> Self { Self(.deadlock, sentence) }
}

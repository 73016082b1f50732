import PoolCore
import PoolModel
import Synchronization

// Waits that could never end: a block that waits for what its own operation holds up.
//
// A wait is the block's own on the block's thread, and in the task that executes the block. A task
// that the block has started may outlive it, so nothing is said there.

extension PoolOperation {
  /// Throws if the caller is a block without whose end this operation cannot end; the queue is its
  /// own, or that to which it is about to be added.
  func demandProgress(in queue: QueueCore? = nil) throws(PoolError) {
    guard let caller = BlockExecution.ofCaller as? PoolOperation, outcome == nil else { return }
    guard caller !== self else { throw .deadlock("'\(label)' would wait for itself") }
    guard !caller.enclosingGroups.contains(where: { $0 === self }) else {
      throw .deadlock("'\(caller.label)' would wait for '\(label)', its own group")
    }
    let own = caller.holdings()
    let parts = hasMembers ? allMembers.filter { !$0.hasMembers } : [self]
    let needs = parts.map { (operation: $0, holdings: $0.holdings(in: queue)) }
    let (isBlocked, waits) = OperationRegistry.process.update(ifWanted: true) { transaction in
      let isBlocked = needs.contains { need in
        guard need.operation.hasNotBegun(transaction) else { return false }
        return need.holdings.contains { one in own.contains { $0.blocks(one, transaction) } }
      }
      let (id, other) = (register(&transaction), caller.register(&transaction))
      return (isBlocked, transaction.waits(id, for: other))
    }
    guard waits || isBlocked else { return }
    let obstacle = waits ? "which waits for it" : "which their queue executes after it"
    throw .deadlock("'\(caller.label)' would wait for '\(label)', \(obstacle)")
  }

  private func hasNotBegun(_ transaction: borrowing PoolEngine.Transaction) -> Bool {
    guard let id = life.withLock({ $0.id }) else { return true }
    return [.pending, .ready].contains(transaction.phase(of: id))
  }

  /// The slots that it takes, of its queue and of groups with a width.
  private func holdings(in queue: QueueCore? = nil) -> [Holding] {
    let own = (queue ?? self.queue).map { Holding(operation: self, place: .queue($0)) }
    let groups = enclosingGroups.compactMap { $0 as? PoolGroupOperation }
    return (own.map { [$0] } ?? []) + groups.map { Holding(operation: self, place: .group($0)) }
  }
}

/// The slots of an operation, and what has them.
private struct Holding {
  enum Place {
    case queue(QueueCore)
    case group(PoolGroupOperation)

    func width(_ transaction: borrowing PoolEngine.Transaction) -> Int {
      switch self {
      case .queue(let queue): transaction.width(of: queue.id)
      case .group(let group): group.maxConcurrentOperationCount
      }
    }

    var identity: ObjectIdentifier {
      switch self {
      case .queue(let queue): ObjectIdentifier(queue)
      case .group(let group): ObjectIdentifier(group)
      }
    }
  }

  let operation: PoolOperation
  let place: Place

  /// Whether the two do not fit at once.
  func blocks(_ other: Self, _ transaction: borrowing PoolEngine.Transaction) -> Bool {
    guard place.identity == other.place.identity, operation !== other.operation else {
      return false
    }
    let width = place.width(transaction)
    return width > 0 && min(slots, width) > width - min(other.slots, width)
  }

  private var slots: Int { max(operation.special?.options.slots ?? 1, 1) }
}

extension QueueCore {
  /// Throws if the caller is a block that the queue waits for.
  func demandOutside() throws(PoolError) {
    guard let caller = BlockExecution.ofCaller as? PoolOperation, caller.isInside(self) else {
      return
    }
    throw .waitsForItsQueue(caller)
  }

  /// Lets the caller fail if it is a block that the queue waits for; returns whether it is.
  func failsCaller() -> Bool {
    guard let execution = BlockExecution.executedByCaller,
      (execution.operation as? PoolOperation)?.isInside(self) == true
    else { return false }
    execution.noteWaitForItself()
    return true
  }

  /// Throws if the caller is a block of the queue, which executes one operation at a time.
  func demandWidth() throws(PoolError) {
    guard let caller = BlockExecution.ofCaller as? PoolOperation, caller.isInside(self),
      Self.engine.read({ $0.width(of: id) }) == 1
    else { return }
    let obstacle = "which its queue executes after it"
    throw .deadlock("'\(caller.label)' would wait for operations of the map, \(obstacle)")
  }
}

extension PoolError {
  static func waitsForItsQueue(_ operation: PoolOperation) -> Self {
    .deadlock("'\(operation.label)' would wait for the queue that it is in")
  }

  fileprivate static func deadlock(_ sentence: String) -> Self { Self(.deadlock, sentence) }
}

extension PoolOperation: HostedOperation {
  package var selfWaitFailure: any Error { PoolError.waitsForItsQueue(self) }
}

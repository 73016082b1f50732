import PoolCore
import PoolModel
import Synchronization

extension PoolGroupOperation {
  /// Adds an operation; see ``addOperations(_:)``.
  public func addOperation(_ operation: PoolOperation) throws(PoolError) {
    try addOperations([operation])
  }

  /// Adds operations, all or none.
  ///
  /// They can be added until the group has finished, also by one of its own operations.
  ///
  /// Throws ``PoolError`` if one is or was in a queue or group, if one cannot be encoded, if
  /// operations would wait for each other in a cycle, and when the group has finished.
  public func addOperations(_ operations: [PoolOperation]) throws(PoolError) {
    guard !operations.isEmpty else { return }
    let payloads = try PayloadEncoding.encode(operations)
    typealias Count = (progress: QueueProgress, added: Int)
    let registry = OperationRegistry.process
    let count = try registry.update(ifWanted: true) { transaction throws(PoolError) -> Count? in
      guard transaction.phase(of: register(&transaction)) != .finished else {
        throw PoolError(.alreadyExecuting, "'\(label)' has finished: it takes no operation")
      }
      try claim(operations, &transaction)
      let queue = queue
      let count =
        try queue.map { queue throws(PoolError) in
          try admit(operations, payloads, to: queue, &transaction)
        } ?? 0
      roster.withLock { roster in
        roster.members += operations
        if queue == nil { roster.payloads += payloads }
      }
      if isCancelled { cancel(operations, &transaction) }
      guard let progress = queue?.observers?.progress else { return nil }
      return (progress, count)
    }
    if let count { count.progress.countAdded(count.added) }
  }

  /// Makes all of them members, or none.
  private func claim(
    _ operations: [PoolOperation],
    _ transaction: inout PoolEngine.Transaction
  ) throws(PoolError) {
    let id = register(&transaction)
    for (index, operation) in operations.enumerated() {
      var refusal: PoolError?
      operation.leaveFormerGroup(&transaction)
      if operation.join(self) {
        let cycle = transaction.change(.addMember(operation.register(&transaction), to: id))
        guard let cycle else { continue }
        refusal = .cycle(cycle, from: [operation, self])
        operation.leaveQueue()
      }
      _ = operation.register(&transaction)
      for claimed in operations[..<index] { dismiss(claimed, from: id, &transaction) }
      throw refusal ?? .alreadyAdded(operation)
    }
  }

  /// Releases an operation that has not entered the queue.
  private func dismiss(
    _ operation: PoolOperation,
    from id: OperationID,
    _ transaction: inout PoolEngine.Transaction
  ) {
    operation.leaveQueue()
    transaction.change(.removeMember(operation.register(&transaction), from: id))
  }

  private func cancel(
    _ operations: [PoolOperation],
    _ transaction: inout PoolEngine.Transaction
  ) {
    for operation in operations {
      operation.markCancelled(by: .group)
      operation.markMembersCancelled(transaction)
      _ = transaction.cancel(operation.register(&transaction))
    }
  }

  /// Lets new members enter the group's queue, also while it is being shut down; returns how many
  /// operations that are.
  private func admit(
    _ operations: [PoolOperation],
    _ payloads: [[UInt8]],
    to queue: QueueCore,
    _ transaction: inout PoolEngine.Transaction
  ) throws(PoolError) -> Int {
    let quality = life.withLock { $0.inheritableQualityOfService }
    let entries = entries(of: operations, payloads, inheriting: quality)
    do throws(PoolError) {
      return try queue.admit(entries, &transaction)
    } catch {
      let id = register(&transaction)
      for operation in operations { dismiss(operation, from: id, &transaction) }
      throw error
    }
  }
}

extension PoolOperation {
  /// Its members, those of groups among them included; none if it is no group.
  var allMembers: [PoolOperation] {
    guard hasMembers else { return [] }
    var (members, rest) = ([] as [PoolOperation], [self])
    while let operation = rest.popLast() {
      guard let group = operation as? PoolGroupOperation else { continue }
      let own = group.operations
      members += own
      rest += own
    }
    return members
  }

  /// Whether the machine knows that it has ended.
  func hasEnded(_ transaction: borrowing PoolEngine.Transaction) -> Bool {
    life.withLock { $0.id }.map { transaction.phase(of: $0) == .finished } ?? false
  }

  /// The operation is about to be cancelled: marks its members that have not ended.
  func markMembersCancelled(_ transaction: borrowing PoolEngine.Transaction) {
    for member in allMembers where !member.hasEnded(transaction) {
      member.markCancelled(by: .group)
    }
  }
}

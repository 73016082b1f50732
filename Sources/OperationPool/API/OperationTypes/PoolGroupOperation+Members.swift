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
    let count = try OperationRegistry.process.update { transaction throws(PoolError) -> Count? in
      // The machine is the first to know that it has finished; its roster is closed a moment later.
      let id = register(&transaction)
      let hasFinished = transaction.phase(of: id) == .finished
      // The count keeps the group from finishing meanwhile.
      let (inner, isClosed, areCancelled) = roster.withLock { roster in
        let isClosed = roster.isClosed || hasFinished
        if !isClosed { roster.inner?.countUp(1) }
        return (roster.inner, isClosed, roster.isCancelled)
      }
      guard !isClosed else {
        throw PoolError(.alreadyExecuting, "'\(label)' has finished: it takes no operation")
      }
      defer { inner?.takeBack(1) }
      try claim(operations, &transaction)
      if areCancelled || isCancelled { cancel(operations, &transaction) }
      if let inner { try admit(operations, payloads, to: inner, &transaction) }
      roster.withLock { roster in
        roster.members += operations
        if inner == nil { roster.payloads += payloads }
      }
      guard let progress = outermostQueue?.observers?.progress else { return nil }
      return (progress, operations.reduce(0) { $0 + $1.unfinishedCount(transaction) })
    }
    if let count { count.progress.countAdded(count.added) }
  }

  /// The queue of the group, or of its outermost enclosing group.
  private var outermostQueue: QueueCore? { (enclosingGroups.last ?? self).queue?.outermost }

  /// Makes all of them members, or none.
  private func claim(
    _ operations: [PoolOperation],
    _ transaction: inout PoolEngine.Transaction
  ) throws(PoolError) {
    let id = register(&transaction)
    for (index, operation) in operations.enumerated() {
      var refusal: PoolError?
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

  /// Releases an operation that has not entered the inner queue.
  func dismiss(
    _ operation: PoolOperation,
    from id: OperationID?,
    _ transaction: inout PoolEngine.Transaction
  ) {
    operation.leaveQueue()
    guard let id else { return }
    transaction.change(.removeMember(operation.register(&transaction), from: id))
  }

  private func cancel(
    _ operations: [PoolOperation],
    _ transaction: inout PoolEngine.Transaction
  ) {
    for operation in operations {
      operation.markCancelled(by: .group)
      _ = transaction.cancel(operation.register(&transaction))
    }
  }

  private func admit(
    _ operations: [PoolOperation],
    _ payloads: [[UInt8]],
    to inner: QueueCore,
    _ transaction: inout PoolEngine.Transaction
  ) throws(PoolError) {
    do throws(PoolError) {
      try inner.admit(operations, payloads, of: self, &transaction)
    } catch {
      let id = register(&transaction)
      for operation in operations { dismiss(operation, from: id, &transaction) }
      throw error
    }
  }

  /// Lets all members enter the inner queue.
  ///
  /// Throws if they form a cycle through a barrier; then they enter as cancelled.
  func admitAll(
    to inner: QueueCore,
    _ transaction: inout PoolEngine.Transaction
  ) throws(PoolError) {
    let (members, payloads, width) = roster.withLock { roster in
      defer { roster.payloads = [] }
      roster.inner = inner
      return (roster.members, roster.payloads, roster.width)
    }
    transaction.setWidth(width, of: inner.id)
    do throws(PoolError) {
      try inner.admit(members, payloads, of: self, &transaction)
    } catch {
      transaction.change(.ignoreBarriers(in: inner.id))
      let own = zip(members, payloads).filter { $0.0.join(self) }
      cancel(own.map(\.0), &transaction)
      try inner.admit(own.map(\.0), own.map(\.1), of: self, &transaction)
      throw error
    }
  }
}

extension PoolOperation {
  /// Number of operations that have not finished: itself, and its members.
  func unfinishedCount(_ transaction: borrowing PoolEngine.Transaction) -> Int {
    let isFinished = life.withLock { $0.id }.map { transaction.phase(of: $0) == .finished }
    return (isFinished == true ? 0 : 1) + unfinishedMemberCount(transaction)
  }
}

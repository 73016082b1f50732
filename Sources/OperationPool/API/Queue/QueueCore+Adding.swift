import PoolCore
import PoolModel
import Synchronization

extension QueueCore {
  /// Adds operations with their members, all or none, under the engine's lock; returns how many
  /// that are.
  func admit(
    _ tops: [QueueEntry],
    areRanked: Bool = false,
    _ transaction: inout PoolEngine.Transaction
  ) throws(PoolError) -> Int {
    let entries =
      tops.contains { $0.operation.hasMembers } ? QueueEntry.all(tops) : tops
    let ids = try enter(entries, &transaction)
    // A group counts for its members, which end before it.
    let count = tops.count { $0.group == nil }
    countUp(count)
    let operations = entries.map(\.operation)
    let ranks = areRanked ? entries.map(\.rank) : nil
    try enqueue(operations[...], ids, by: ranks, &transaction) {
      for entry in entries { entry.operation.undo(entry) }
      takeBack(count)
    }
    for operation in operations where operation.hasMembers { operation.membersEntered() }
    return entries.count
  }

  /// Enqueues operations that have entered the queue and are counted; the closure undoes that, if
  /// they are refused.
  private func enqueue(
    _ operations: ArraySlice<PoolOperation>,
    _ ids: [OperationID],
    by ranks: [Int64]? = nil,
    _ transaction: inout PoolEngine.Transaction,
    orUndo undo: () -> Void
  ) throws(PoolError) {
    OperationRegistry.process.keep(operations, ids)
    guard let cycle = transaction.enqueue(ids, by: ranks, in: id) else { return }
    let error = PoolError.cycle(cycle, from: Array(operations))
    OperationRegistry.process.unkeep(ids)
    undo()
    throw error
  }

  private func dismiss(_ operations: some Collection<PoolOperation>) {
    for operation in operations { operation.leaveQueue() }
    takeBack(operations.count)
  }

  /// Puts all into the queue, or none.
  private func enter(
    _ entries: [QueueEntry],
    _ transaction: inout PoolEngine.Transaction
  ) throws(PoolError) -> [OperationID] {
    transaction.reserve(entries.count)
    var ids: [OperationID] = []
    ids.reserveCapacity(entries.count)
    for (index, entry) in entries.enumerated() {
      guard let id = entry.operation.enter(self, entry, &transaction) else {
        for entered in entries[..<index] { entered.operation.undo(entered) }
        _ = entry.operation.register(&transaction)
        throw .alreadyAdded(entry.operation)
      }
      ids.append(id)
    }
    return ids
  }
}

// MARK: - Large batches

extension QueueCore {
  /// Number of operations of a large batch that are added at a time: workers begin with these while
  /// the next ones are being added.
  private static let chunk = 1_024

  /// Adds operations, all or none.
  func add(
    _ operations: [PoolOperation],
    by order: PoolSchedulingPolicy
  ) throws(PoolError) {
    let payloads = try PayloadEncoding.encode(operations)
    let ranks = order.ranks(of: operations)
    if ranks == nil, operations.count > Self.chunk, claim(operations, payloads) {
      return try addChunks(operations)
    }
    let entries = operations.indices.map { index in
      QueueEntry(
        operation: operations[index],
        payload: payloads[index],
        rank: ranks?[index] ?? 0
      )
    }
    try update(operations[...]) { transaction throws(PoolError) in
      guard takesOperations else { throw .shutDown(self) }
      return try admit(entries, areRanked: ranks != nil, &transaction)
    }
  }

  /// Lets operations enter the queue if they can be added in several steps.
  ///
  /// That requires that none can still be refused, and that none precedes an earlier one. Returns
  /// whether they have entered; otherwise none has.
  private func claim(_ operations: [PoolOperation], _ payloads: [[UInt8]]) -> Bool {
    var known: [OperationID] = []
    for index in operations.indices {
      switch operations[index].enterPlainly(self, payloads[index]) {
      case .entered: break
      case .known(let id): known.append(id)
      case .refused:
        for claimed in operations[..<index] { claimed.leaveQueue() }
        return false
      }
    }
    guard isAnyAwaited(known) else { return true }
    for claimed in operations { claimed.leaveQueue() }
    return false
  }

  /// Whether anything waits for one of these operations: then a barrier of the queue may refuse it.
  private func isAnyAwaited(_ ids: [OperationID]) -> Bool {
    stride(from: 0, to: ids.count, by: Self.chunk).contains { start in
      let chunk = ids[start..<min(start + Self.chunk, ids.count)]
      return Self.engine.read { transaction in chunk.contains { transaction.isAwaited($0) } }
    }
  }

  /// Adds operations that have entered the queue.
  private func addChunks(_ operations: [PoolOperation]) throws(PoolError) {
    // All at first: the queue must not seem empty in between.
    countUp(operations.count)
    for start in stride(from: 0, to: operations.count, by: Self.chunk) {
      let chunk = operations[start..<min(start + Self.chunk, operations.count)]
      do throws(PoolError) {
        try update(chunk) { transaction throws(PoolError) in
          guard takesOperations else {
            dismiss(chunk)
            throw .shutDown(self)
          }
          // Reserves memory for all at once; growing repeatedly would move the table again and
          // again. Operations that others depend on have a place already, and mostly either all or
          // none have.
          if start == 0, !operations[0].isRegistered { transaction.reserve(operations.count) }
          let ids = chunk.map { $0.register(&transaction) }
          try enqueue(chunk, ids, &transaction) { dismiss(chunk) }
          return chunk.count
        }
      } catch {
        // Another thread has just made one of them part of a cycle, or shut the queue down.
        dismiss(operations[chunk.endIndex...])
        throw error
      }
    }
  }

  /// Adds operations as the closure does, which returns how many, and tells the queue's observers.
  ///
  /// Yields the lock first, so that a tight adding loop does not starve the event loop.
  private func update(
    _ operations: ArraySlice<PoolOperation>,
    _ add: (inout PoolEngine.Transaction) throws(PoolError) -> Int
  ) throws(PoolError) {
    Self.engine.shared.letOthersGoFirst()
    let registry = OperationRegistry.process
    typealias Count = (progress: QueueProgress, added: Int)
    let count = try registry.update(ifWanted: true) { transaction throws(PoolError) -> Count? in
      let count = try add(&transaction)
      guard let progress = observers?.added(Array(operations), on: callbackQueue) else {
        return nil
      }
      return (progress, count)
    }
    if let count { count.progress.countAdded(count.added) }
  }
}

extension PoolSchedulingPolicy {
  /// The ranks of operations that are added together; nil for the order of submission.
  fileprivate func ranks(of operations: [PoolOperation]) -> [Int64]? {
    guard self != .submission else { return nil }
    let pairs = operations.indices.map { (ObjectIdentifier(operations[$0]), $0) }
    let indices = Dictionary(pairs) { first, _ in first }
    var rows = DependencyRows()
    for operation in operations {
      for dependency in operation.dependencies {
        if let index = indices[ObjectIdentifier(dependency)] { rows.append(index) }
      }
      rows.endRow()
    }
    let durations = operations.map { operation in
      operation.special?.options.expectedDuration.map { Int64.nanoseconds(of: $0) }
    }
    return ranks(of: rows, durations: durations)
  }
}

extension PoolError {
  /// An operation is or was in a queue or a group.
  static func alreadyAdded(_ operation: PoolOperation) -> Self {
    let queue = operation.queue?.settings.withLock { $0.name }.map { "the queue '\($0)'" }
    let place = operation.group.map { "the group '\($0.label)'" } ?? queue ?? "a queue"
    let fault = operation.outcome != nil ? "has finished" : "was added to \(place) before"
    return Self(
      .alreadyEnqueued,
      "'\(operation.label)' \(fault): an operation is executed once; make another for more"
    )
  }
}

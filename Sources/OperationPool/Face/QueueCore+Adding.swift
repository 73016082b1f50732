import PoolCore
import PoolModel

extension QueueCore {
  /// The operations' inputs as JSON; empty for those that are made later.
  static func encode(_ operations: [PoolOperation]) throws(PoolError) -> [[UInt8]] {
    var payloads: [[UInt8]] = []
    payloads.reserveCapacity(operations.count)
    for operation in operations { payloads.append(try operation.encodedPayload() ?? []) }
    return payloads
  }

  /// Adds operations, all or none, under the coordinator's lock; those of a group are its members.
  func admit(
    _ operations: [PoolOperation],
    _ payloads: [[UInt8]],
    of group: PoolGroupOperation? = nil,
    _ shared: inout Coordinator.Shared,
    _ now: Instant
  ) throws(PoolError) {
    try claim(operations, of: group)
    shared.machine.reserve(operations.count)
    let ids = operations.map { $0.register(&shared) }
    countUp(operations.count)
    let kept = zip(operations, payloads).map {
      OperationRegistry.KeptOperation(operation: $0, queue: self, payload: $1)
    }
    OperationRegistry.process.keep(kept, ids)
    guard let circle = shared.machine.enqueue(ids, in: id, at: now) else { return }
    let error = PoolError.circle(circle, from: operations)
    OperationRegistry.process.unkeep(ids)
    for operation in operations {
      operation.leaveQueue()
      countDown()
    }
    throw error
  }

  /// Marks all as being in the queue, or none.
  private func claim(
    _ operations: [PoolOperation],
    of group: PoolGroupOperation?
  ) throws(PoolError) {
    for (index, operation) in operations.enumerated()
    where !operation.enter(self, of: group) {
      for claimed in operations[..<index] { claimed.leaveQueue() }
      throw .alreadyAdded(operation)
    }
  }
}

extension PoolError {
  /// An operation is in a queue or in a group, or was.
  static func alreadyAdded(_ operation: PoolOperation) -> Self {
    let place = operation.group.map { "the group '\($0.label)'" } ?? "a queue"
    return Self(
      .alreadyEnqueued,
      "'\(operation.label)' was added to \(place) before, or has finished"
    )
  }
}

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
    let ids = try enter(operations, payloads, of: group, &shared)
    countUp(operations.count)
    OperationRegistry.process.keep(operations, ids)
    guard let circle = shared.machine.enqueue(ids, in: id, at: now) else { return }
    let error = PoolError.circle(circle, from: operations)
    OperationRegistry.process.unkeep(ids)
    for operation in operations {
      operation.leaveQueue()
      countDown()
    }
    throw error
  }

  /// Puts all into the queue, or none.
  private func enter(
    _ operations: [PoolOperation],
    _ payloads: [[UInt8]],
    of group: PoolGroupOperation?,
    _ shared: inout Coordinator.Shared
  ) throws(PoolError) -> [OperationID] {
    shared.machine.reserve(operations.count)
    var ids: [OperationID] = []
    ids.reserveCapacity(operations.count)
    for (index, operation) in operations.enumerated() {
      guard let id = operation.enter(self, of: group, payloads[index], &shared) else {
        for entered in operations[..<index] { entered.leaveQueue() }
        throw .alreadyAdded(operation)
      }
      ids.append(id)
    }
    return ids
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

import PoolModel

// An operation takes over the resource units of the one before it in a worker's queue, if both
// claim the same.
//
// The first operation of a worker's queue holds the units. The one right behind it has the same
// claims or none, so that the units pass to it when it becomes the first. So no operation takes a
// second set of units.

extension Dispatcher {
  /// Whether the units of a worker's first operation pass to what is behind it.
  func hasSuccessor(_ worker: WorkerHandle, _ records: borrowing OperationTable) -> Bool {
    assignments[worker].queue.second.map { records[$0.handle].hasClaims } ?? false
  }

  /// The operation that may take over the units of the last one in a worker's queue: the first that
  /// waits for one of these units, if it claims exactly these, and if no operation that the worker
  /// could be given comes before it.
  mutating func successor(
    for worker: WorkerHandle,
    of configuration: ConfigurationID,
    _ records: inout OperationTable
  ) -> (kindQueue: KindQueueHandle, key: ReadyKey, expected: Int64)? {
    guard !hasSuspects, let last = assignments[worker].queue.last,
      records[last.handle].hasClaims
    else { return nil }
    let claims = resources.claims(records[last.handle].claims)
    guard let key = claims.compactMap({ resources[$0].waiting.first }).min(),
      overtaking.reserver == nil
    else { return nil }
    let handle = order.occupant(key.position)
    let kindQueue = records[handle].kindQueue
    let queue = kindQueues[kindQueue].queue
    // If a unit is free and one more worker may come, the operation waits for that worker.
    let isCrowded =
      configurations[configuration].openCount >= configurations[configuration].spec.count
    guard !records[handle].state.isOffered || isCrowded,
      resources.claims(records[handle].claims) == claims,
      claims.allSatisfy({ resources[$0].isWithinCapacity }),
      queues[queue].hasRoom, !queues[queue].isMetered, isUncrowded(for: key, queue, records),
      configurations[configuration].kindQueueHeap.serves(kindQueue),
      let expected = expectation(of: kindQueue), expected <= assignments[worker].window.work
    else { return nil }
    if let first = firstReady(for: configuration, &records), first.key < key { return nil }
    return (kindQueue, key, expected)
  }

  /// Gives a worker its even share of the operations that wait for the units it holds; false if it
  /// has no room left.
  mutating func fillSuccessors(
    _ worker: WorkerHandle,
    of configuration: ConfigurationID,
    _ records: inout OperationTable,
    _ context: inout EventContext
  ) -> Bool {
    guard let share = successorShare(of: worker, records) else { return true }
    for _ in 0..<share {
      guard let (kindQueue, key, expected) = successor(for: worker, of: configuration, &records),
        !assignments[worker].holdsBack(key)
      else { return true }
      guard assignments[worker].hasRoom(for: expected) else { return false }
      configurations[configuration].lastLevel = key.level
      lastFewLength = 0
      assign(kindQueue, key, to: worker, expected: expected, isSuccessor: true, &records, &context)
    }
    return true
  }

  /// The worker's share of the operations that wait for the units it holds.
  private func successorShare(of worker: WorkerHandle, _ records: borrowing OperationTable) -> Int?
  {
    guard let last = assignments[worker].queue.last, records[last.handle].hasClaims else {
      return nil
    }
    let resource = resources[resources.claims(records[last.handle].claims)[0]]
    return (resource.waiting.needingCount + resource.inUse - 1) / max(resource.inUse, 1)
  }
}

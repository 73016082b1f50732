import PoolModel

// Gives ready operations to workers.

extension Dispatcher {
  /// Gives ready operations to idle workers, then to busy workers that may prefetch.
  mutating func dispatch(_ records: inout OperationTable, _ context: inout EventContext) {
    let before = context.effects.count
    var place = 0
    while place < dirtyFleets.count {
      let fleet = dirtyFleets[place]
      clearDirty(fleet)
      if readyCount > 0 { dispatch(fleet, &records, &context) }
      recallForIdle(fleet, records, &context)
      place += 1
    }
    endDispatching(hasDispatched: context.effects.count > before)
    hasReadyChanged = false
  }

  /// If anything was dispatched, keeps all fleets of this round listed for the next dispatch: a
  /// dispatch in one may free a reservation or resource for another, which then needs more workers.
  private mutating func endDispatching(hasDispatched: Bool) {
    var kept = 0
    for place in dirtyFleets.indices where hasDispatched && !fleets[dirtyFleets[place]].isDirty {
      fleets[dirtyFleets[place]].isDirty = true
      dirtyFleets[kept] = dirtyFleets[place]
      kept += 1
    }
    dirtyFleets.removeLast(dirtyFleets.count - kept)
  }

  private mutating func dispatch(
    _ fleet: FleetID,
    _ records: inout OperationTable,
    _ context: inout EventContext
  ) {
    dispatchToIdle(of: fleet, &records, &context)
    for place in 0..<fleets[fleet].configurations.count {
      let configuration = fleets[fleet].configurations[place]
      guard !lacksFreshWorker(configuration) else { continue }
      makeRoomForUrgent(configuration, &records, &context)
      dispatchToListed(configuration, &records, &context)
    }
  }

  /// Whether answers may wait for ``PrefetchPolicy/gathering``, to be heard together; O(1).
  package var gathersAnswers: Bool {
    readyCount > 0
      && PrefetchPolicy.gathers(
        busy: busyWorkerCount,
        holding: prefetchingWorkerCount,
        lastFewLength
      )
  }

  /// The next worker that was given operations; the composition tells the supervisor.
  mutating func nextSupplied() -> WorkerHandle? { supplied.popLast() }

  /// Gives each idle worker of a fleet an operation: always the first of all that an idle worker
  /// serves.
  mutating func dispatchToIdle(
    of fleet: FleetID,
    _ records: inout OperationTable,
    _ context: inout EventContext
  ) {
    while let (configuration, kindQueue, key) = firstReady(of: fleet, &records),
      let worker = configurations[configuration].idle.first
    {
      beginWork(worker, at: context.now)
      let expected = expectation(of: kindQueue) ?? 0
      assign(kindQueue, key, to: worker, expected: expected, &records, &context)
      list(worker)
    }
  }

  /// Removes a worker from the idle ones, before it is given an operation.
  mutating func beginWork(_ worker: WorkerHandle, at now: Instant) {
    let configuration = assignments[worker].configuration
    configurations[configuration].idle.remove(worker)
    if !configurations[configuration].spec.executesBlocks {
      fleets[configurations[configuration].fleet].busyCount += 1
      busyWorkerCount += 1
    }
    assignments[worker].answerRate = AnswerRate(since: now, isFirst: true)
    supplied.append(worker)
  }

  /// Counts a worker of the configuration as no longer busy.
  mutating func endWork(_ configuration: ConfigurationID) {
    guard !configurations[configuration].spec.executesBlocks else { return }
    fleets[configurations[configuration].fleet].busyCount -= 1
    busyWorkerCount -= 1
  }

  /// The first operation that an idle worker of the fleet serves; of several configurations, the
  /// preferred one.
  private mutating func firstReady(
    of fleet: FleetID,
    _ records: inout OperationTable
  ) -> (configuration: ConfigurationID, kindQueue: KindQueueHandle, key: ReadyKey)? {
    var best: (configuration: ConfigurationID, kindQueue: KindQueueHandle, key: ReadyKey)?
    for place in 0..<fleets[fleet].configurations.count {
      let configuration = fleets[fleet].configurations[place]
      guard !configurations[configuration].idle.isEmpty,
        let (kindQueue, key) = firstReady(for: configuration, &records)
      else { continue }
      if let current = best, current.key <= key { continue }
      best = (configuration, kindQueue, key)
    }
    return best
  }

  /// Gives busy workers of a configuration more operations, an even share each, as long as the
  /// first ready operation may be prefetched.
  mutating func dispatchToListed(
    _ configuration: ConfigurationID,
    _ records: inout OperationTable,
    _ context: inout EventContext
  ) {
    guard !configurations[configuration].listed.isEmpty,
      !resources.isEmpty || firstExpectation(for: configuration, &records) != nil
    else { return }
    let share = share(of: configuration)
    var kept: [WorkerHandle] = []
    for worker in configurations[configuration].listed {
      let limit = share.limit(behind: assignments[worker].queue.count)
      if fill(worker, of: configuration, upTo: limit, &records, &context) {
        kept.append(worker)
      } else {
        assignments[worker].isListed = false
      }
    }
    configurations[configuration].listed = kept
  }

  /// Gives a worker operations to prefetch; false if it has no room left.
  private mutating func fill(
    _ worker: WorkerHandle,
    of configuration: ConfigurationID,
    upTo share: Int,
    _ records: inout OperationTable,
    _ context: inout EventContext
  ) -> Bool {
    guard hasPatience(worker, records, at: context.now) else { return false }
    // The supervisor must recall these in time if the first one turns out to be long.
    supplied.append(worker)
    if !resources.isEmpty, !fillSuccessors(worker, of: configuration, &records, &context) {
      return false
    }
    for _ in 0..<share {
      guard let (kindQueue, key, expected) = firstExpectation(for: configuration, &records) else {
        return true
      }
      guard !assignments[worker].holdsBack(key) else { return true }
      let few = PrefetchPolicy.fewLengths.contains(expected) ? few(for: configuration) : 0
      guard assignments[worker].hasRoom(for: expected, few: few) else { return false }
      configurations[configuration].lastLevel = key.level
      lastFewLength = PrefetchPolicy.fills(few: few, expected) ? expected : 0
      assign(kindQueue, key, to: worker, expected: expected, &records, &context)
    }
    return true
  }

  /// Whether the worker's current execution has not yet exceeded its expected length by the
  /// patience.
  private func hasPatience(
    _ worker: WorkerHandle,
    _ records: borrowing OperationTable,
    at now: Instant
  ) -> Bool {
    guard let first = assignments[worker].queue.first, records[first.handle].state.isExecuting
    else {
      return true
    }
    let patience = patience(behind: first, of: worker)
    return now < records[first.handle].startedAt.advanced(by: patience)
  }

  /// The first ready operation, if its expected length is known and short enough for prefetch, and
  /// if it needs one slot and no resource.
  private mutating func firstExpectation(
    for configuration: ConfigurationID,
    _ records: inout OperationTable
  ) -> (kindQueue: KindQueueHandle, key: ReadyKey, expected: Int64)? {
    guard let (kindQueue, key) = firstReady(for: configuration, &records),
      let expected = expectation(of: kindQueue),
      expected <= PrefetchPolicy.workLimit || configurations[configuration].spec.isFar
        || expected <= PrefetchPolicy.fewLengths.upperBound && few(for: configuration) > 0
    else { return nil }
    return mayWait(key, kindQueue, records) ? (kindQueue, key, expected) : nil
  }

  /// Whether an operation may wait in a worker: one that needs a single slot, and no resource.
  func mayWait(
    _ key: ReadyKey,
    _ kindQueue: KindQueueHandle,
    _ records: borrowing OperationTable
  ) -> Bool {
    let handle = order.occupant(key.position)
    return records[handle].slots == 1 && !records[handle].hasClaims
      && !queues[kindQueues[kindQueue].queue].isMetered
  }

  /// How many operations of 0.5 to 20 ms each worker of a configuration may hold now; none while
  /// more workers may come.
  private func few(for configuration: ConfigurationID) -> Int {
    let workers = configurations[configuration].openCount
    guard workers >= configurations[configuration].spec.count else { return 0 }
    return PrefetchPolicy.few(ready: readyCount(for: configuration), workers: workers)
  }

  mutating func assign(
    _ kindQueue: KindQueueHandle,
    _ key: ReadyKey,
    to worker: WorkerHandle,
    expected: Int64,
    isSuccessor: Bool = false,
    _ records: inout OperationTable,
    _ context: inout EventContext
  ) {
    let handle = order.occupant(key.position)
    let isOffered = !isSuccessor || records[handle].state.isOffered
    let number = DispatchNumber(rawValue: nextNumber)
    nextNumber += 1
    removeReady(handle, UInt8(key.level), isOffered: isOffered, &records)
    let takesSlots = !configurations[assignments[worker].configuration].spec.executesBlocks
    records[handle].dispatch(
      OperationDispatch(worker: worker, takesSlots: takesSlots, number: number)
    )
    occupy(handle, isSuccessor: isSuccessor, &records)
    countOvertaking(by: handle, key, &records)
    let reference = DispatchReference(operation: records.id(of: handle), dispatch: number)
    let timeout = assignments[worker].limit(of: records[handle].timeout)
    assignments[worker].lastLevel = key.level
    assignments[worker].queue.append(
      Assignment(
        reference: reference,
        expected: expected,
        timeout: timeout,
        dispatchedAt: context.now
      )
    )
    if assignments[worker].queue.count == 2 { notePrefetching(worker, 1) }
    let attempt = Int(records[handle].attempt) + 1
    context.effects.append(.dispatch(assignments[worker].id, reference, attempt: attempt))
  }

  /// Lists a busy worker that may have room.
  mutating func list(_ worker: WorkerHandle) {
    guard !assignments[worker].isListed, assignments[worker].canPrefetch else { return }
    assignments[worker].isListed = true
    configurations[assignments[worker].configuration].listed.append(worker)
  }
}

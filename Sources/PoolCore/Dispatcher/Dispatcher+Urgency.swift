import PoolModel

// An urgent operation goes to the next idle worker, and never waits behind a less urgent one. And
// operations do not wait behind a long execution while other workers are idle.

extension Dispatcher {
  /// Recalls the operations in a worker's queue if a more urgent one waits for a worker, so that
  /// the worker is free after its current operation.
  ///
  /// The other workers run out of prefetched work meanwhile, because nothing is added behind less
  /// urgent operations. O(1), and O(workers) once in a while.
  mutating func makeRoomForUrgent(
    _ configuration: ConfigurationID,
    _ records: inout OperationTable,
    _ context: inout EventContext
  ) {
    guard configurations[configuration].nextUrgentRecall <= context.now,
      let (_, key) = firstReady(for: configuration, &records),
      key.level < configurations[configuration].lastLevel,
      let worker = longestQueue(
        of: configuration,
        where: { worker in
          assignments[worker].holdsBack(key)
            && assignments[worker].queue.prefetchedWork >= PrefetchPolicy.urgentWork
        }
      )
    else { return }
    configurations[configuration].nextUrgentRecall =
      context.now.advanced(by: PrefetchPolicy.urgentRecallInterval)
    recall(from: worker, &context)
    sendWithRecall(key, to: worker, of: configuration, &records, &context)
    // So that the supervisor does not recall them again.
    supplied.append(worker)
  }

  /// Sends an urgent operation together with the recall, over a link.
  ///
  /// Waiting for what comes back first would take as long again. The worker executes it after its
  /// current operation.
  private mutating func sendWithRecall(
    _ key: ReadyKey,
    to worker: WorkerHandle,
    of configuration: ConfigurationID,
    _ records: inout OperationTable,
    _ context: inout EventContext
  ) {
    let delay = assignments[worker].window.delay
    guard delay > 0, let first = assignments[worker].queue.first,
      first.expected > 0 && first.expected <= delay,
      let (kindQueue, _) = firstReady(for: configuration, &records),
      mayWait(key, kindQueue, records)
    else { return }
    assignments[worker].hasRecalled = false
    configurations[configuration].lastLevel = key.level
    let expected = expectation(of: kindQueue) ?? 0
    assign(kindQueue, key, to: worker, expected: expected, &records, &context)
    list(worker)
  }

  /// Recalls operations behind long executions while other workers are idle.
  ///
  /// O(configurations), and O(workers) if some hold operations that others could execute.
  mutating func recallForIdle(
    _ fleet: FleetID,
    _ records: borrowing OperationTable,
    _ context: inout EventContext
  ) {
    for place in 0..<fleets[fleet].configurations.count {
      recallForIdle(fleets[fleet].configurations[place], records, &context)
    }
  }

  private mutating func recallForIdle(
    _ configuration: ConfigurationID,
    _ records: borrowing OperationTable,
    _ context: inout EventContext
  ) {
    guard configurations[configuration].prefetchingCount > 0,
      configurations[configuration].nextIdleRecall <= context.now
    else { return }
    guard !configurations[configuration].spec.isFar else {
      return recallFar(configuration, records, &context)
    }
    guard !configurations[configuration].idle.isEmpty else { return }
    configurations[configuration].nextIdleRecall =
      context.now.advanced(by: PrefetchPolicy.idleRecallInterval)
    let worker = longestQueue(of: configuration) {
      // An operation that takes over the units of the first stays: elsewhere it would only wait for
      // them.
      isLong($0, records, at: context.now) && !hasSuccessor($0, records)
    }
    guard let worker else { return }
    recall(from: worker, &context)
    supplied.append(worker)
  }

  /// Recalls what a worker behind a link holds, because others are idle: all but what it executes
  /// until it hears of that.
  private mutating func recallFar(
    _ configuration: ConfigurationID,
    _ records: borrowing OperationTable,
    _ context: inout EventContext
  ) {
    let helpers = idleConfigurations(before: configuration)
    guard !helpers.isEmpty,
      let worker = longestQueue(
        of: configuration,
        where: { worker in
          guard let next = assignments[worker].queue.second else { return false }
          let kindQueue = records[next.handle].kindQueue
          return assignments[worker].window.exceeds(assignments[worker].queue.prefetchedWork)
            && !hasSuccessor(worker, records)
            && helpers.contains { configurations[$0].kindQueueHeap.serves(kindQueue) }
        }
      )
    else { return }
    let delay = assignments[worker].window.delay
    configurations[configuration].nextIdleRecall =
      context.now.advanced(by: PrefetchPolicy.idleRecallInterval + delay)
    recall(from: worker, keeping: delay, &context)
    supplied.append(worker)
  }

  /// The configurations that have idle workers and are preferred to this one, and itself.
  private func idleConfigurations(before configuration: ConfigurationID) -> [ConfigurationID] {
    let fleet = configurations[configuration].fleet
    return fleets[fleet].configurations.filter {
      !configurations[$0].idle.isEmpty && ($0 == configuration || !configurations[$0].spec.isFar)
    }
  }

  /// Whether the worker's current operation takes long, or is expected to.
  private func isLong(
    _ worker: WorkerHandle,
    _ records: borrowing OperationTable,
    at now: Instant
  ) -> Bool {
    guard let first = assignments[worker].queue.first, records[first.handle].state.isExecuting
    else { return false }
    let startedAt = records[first.handle].startedAt
    return first.expected >= PrefetchPolicy.longWork
      || startedAt.advanced(by: PrefetchPolicy.longWork) <= now
  }

  /// The worker with the most prefetched work, among those that match.
  private func longestQueue(
    of configuration: ConfigurationID,
    where fits: (WorkerHandle) -> Bool
  ) -> WorkerHandle? {
    var best: (worker: WorkerHandle, work: Int64)?
    for worker in assignments.indices
    where assignments[worker].configuration == configuration && hasFollowers(worker)
      && assignments[worker].returns && fits(worker)
    {
      let work = assignments[worker].queue.prefetchedWork
      if work > best?.work ?? -1 { best = (worker, work) }
    }
    return best?.worker
  }
}

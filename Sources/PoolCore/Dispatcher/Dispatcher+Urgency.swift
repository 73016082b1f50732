import PoolModel

// What is more urgent than what workers hold goes to the next one that has nothing to do, and not
// behind that.

extension Dispatcher {
  /// Asks a worker's line back where something more urgent waits for a worker, so that one is free
  /// when it has executed what it is at.
  ///
  /// The lines of all others run dry meanwhile: nothing is put behind what is less urgent. O(1),
  /// and O(workers) once in a while.
  mutating func makeRoomForUrgent(
    _ configuration: ConfigurationID,
    _ records: inout OperationTable,
    _ context: inout EventContext
  ) {
    guard configurations[configuration].mayHurryAt <= context.now,
      let (_, key) = head(for: configuration, records),
      key.level < configurations[configuration].lastLevel,
      let worker = longestLine(
        of: configuration,
        where: { worker in
          assignments[worker].holdsBack(key)
            && assignments[worker].queue.prefetchedWork >= PrefetchPolicy.urgentWork
        }
      )
    else { return }
    configurations[configuration].mayHurryAt =
      context.now.advanced(by: PrefetchPolicy.urgentInterval)
    recall(from: worker, &context)
    // The supervisor need not do so again.
    fed.append(worker)
  }

  /// Asks lines back behind long executions where other workers have nothing to do.
  ///
  /// O(configurations), and O(workers) where some hold what others could execute.
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
    guard configurations[configuration].holderCount > 0,
      !configurations[configuration].idle.isEmpty,
      configurations[configuration].mayRelieveAt <= context.now
    else { return }
    configurations[configuration].mayRelieveAt =
      context.now.advanced(by: PrefetchPolicy.reliefInterval)
    let worker = longestLine(of: configuration) {
      // What would only wait for the units of the first elsewhere stays.
      isLong($0, records, at: context.now) && !hasHeir($0, records)
    }
    guard let worker else { return }
    recall(from: worker, &context)
    fed.append(worker)
  }

  /// Whether what the worker executes will take a while, as far as is known.
  private func isLong(
    _ worker: WorkerHandle,
    _ records: borrowing OperationTable,
    at now: Instant
  ) -> Bool {
    guard let first = assignments[worker].queue.first, records[first.handle].state.isExecuting
    else { return false }
    let startedAt = records[first.handle].startedAt
    return first.expected >= PrefetchPolicy.reliefWork
      || startedAt.advanced(by: PrefetchPolicy.reliefWork) <= now
  }

  /// The worker that holds the most, among those that fit.
  private func longestLine(
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

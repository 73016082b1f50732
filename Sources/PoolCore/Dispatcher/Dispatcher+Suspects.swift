import PoolModel

// An operation during which workers have died is tried again alone on a worker, so that it harms no
// other operation.

extension Dispatcher {
  /// Counts a worker's death for the operation that it executed or would have executed next;
  /// returns whether the operation has reached its limit.
  mutating func blame(
    _ id: OperationID,
    _ worker: WorkerID,
    _ detail: DetailID,
    _ context: inout EventContext
  ) -> Bool {
    context.effects.append(.blame(id, worker, detail))
    return suspects.count(id.handle) >= quarantineLimit
  }

  /// Whether suspects wait for workers.
  var hasSuspects: Bool { suspects.offeredCount > 0 }

  /// The configurations that serve a suspect which waits for a worker; O(configurations and the
  /// kind queues that they serve).
  var configurationsWithSuspects: [ConfigurationID] {
    configurations.indices.filter { configuration in
      configurations[configuration].kindQueueHeap.served.contains {
        kindQueues[$0].suspects.count > 0
      }
    }
  }

  /// Gives suspects to workers that have executed nothing yet, or to any worker if
  /// no fresh one can come; returns the idle workers that must end to make room for fresh ones.
  mutating func dispatchSuspects(
    _ supplies: [FreshSupply],
    _ records: inout OperationTable,
    _ context: inout EventContext
  ) -> [WorkerHandle] {
    supplies.flatMap { dispatchSuspects($0, &records, &context) }
  }

  private mutating func dispatchSuspects(
    _ supply: FreshSupply,
    _ records: inout OperationTable,
    _ context: inout EventContext
  ) -> [WorkerHandle] {
    let configuration = supply.configuration
    configurations[configuration].freshComing = supply.coming
    guard !supply.isClosing else { return [] }
    while dispatchFirstSuspect(configuration, supply.acceptsAny, &records, &context) {}
    var leaving: [WorkerHandle] = []
    while lacksFreshWorker(configuration), let worker = configurations[configuration].idle.first {
      close(worker)
      leaving.append(worker)
      configurations[configuration].freshComing += 1
    }
    return leaving
  }

  private mutating func dispatchFirstSuspect(
    _ configuration: ConfigurationID,
    _ acceptsAny: Bool,
    _ records: inout OperationTable,
    _ context: inout EventContext
  ) -> Bool {
    guard let (kindQueue, key) = firstSuspect(for: configuration),
      hasRoom(for: key, kindQueue, configuration, records),
      let worker = worker(forSuspects: configuration, acceptsAny: acceptsAny)
    else { return false }
    beginWork(worker, at: context.now)
    assignments[worker].isAlone = true
    assign(kindQueue, key, to: worker, expected: 0, &records, &context)
    return true
  }

  /// Whether a suspect is the next that the configuration's workers would execute,
  /// and must wait until a fresh worker replaces another one.
  ///
  /// Then the workers prefetch nothing, so that one of them is idle soon.
  func lacksFreshWorker(_ configuration: ConfigurationID) -> Bool {
    guard hasSuspects, let (_, key) = firstSuspect(for: configuration),
      isNext(key, for: configuration), configurations[configuration].freshComing < .max
    else { return false }
    return suspectCount(for: configuration)
      > configurations[configuration].freshComing + freshIdleCount(of: configuration)
  }

  /// Suspects that the configuration's workers could be given; O(kind queues).
  func suspectCount(for configuration: ConfigurationID) -> Int {
    guard hasSuspects else { return 0 }
    return configurations[configuration].kindQueueHeap.served.reduce(0) { sum, kindQueue in
      queues[kindQueues[kindQueue].queue].hasRoom
        ? sum + kindQueues[kindQueue].suspects.count : sum
    }
  }

  /// Number of idle workers that have never executed anything; O(workers).
  func freshIdleCount(of configuration: ConfigurationID) -> Int {
    assignments.indices.count { isFresh($0, of: configuration) }
  }

  private func isFresh(_ worker: WorkerHandle, of configuration: ConfigurationID) -> Bool {
    assignments[worker].configuration == configuration && assignments[worker].isIdle
      && assignments[worker].isFresh
  }

  /// The first suspect whose queue has room.
  private func firstSuspect(
    for configuration: ConfigurationID
  ) -> (kindQueue: KindQueueHandle, key: ReadyKey)? {
    var best: (kindQueue: KindQueueHandle, key: ReadyKey)?
    for kindQueue in configurations[configuration].kindQueueHeap.served
    where queues[kindQueues[kindQueue].queue].hasRoom {
      guard let key = kindQueues[kindQueue].suspects.first else { continue }
      if let current = best, current.key < key { continue }
      best = (kindQueue, key)
    }
    return best
  }

  /// Whether the operation comes before all others that the configuration's workers may be given.
  private func isNext(_ key: ReadyKey, for configuration: ConfigurationID) -> Bool {
    configurations[configuration].kindQueueHeap.served.allSatisfy { kindQueue in
      guard queues[kindQueues[kindQueue].queue].hasRoom,
        let other = kindQueues[kindQueue].ready.first
      else { return true }
      return key < other
    }
  }

  private func worker(
    forSuspects configuration: ConfigurationID,
    acceptsAny: Bool
  ) -> WorkerHandle? {
    if acceptsAny { return configurations[configuration].idle.first }
    guard !configurations[configuration].idle.isEmpty else { return nil }
    return assignments.indices.first { isFresh($0, of: configuration) }
  }
}

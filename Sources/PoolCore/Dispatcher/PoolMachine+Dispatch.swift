package import PoolModel

// Ready operations meet workers.

extension PoolMachine {
  /// Hands ready operations to workers, and asks for workers where some are missing.
  ///
  /// Workers that have nothing to do come first, in the order of their slots; then those that may
  /// hold some behind what they execute, evenly. O(1) for each operation dispatched, whatever the
  /// number of workers and of operations that wait.
  package mutating func dispatch(at now: Instant) {
    defer { hasReadyChanged = false }
    startWorkers(at: now)
    guard readyCount > 0 else { return }
    if suspects.offeredCount > 0 { feedSuspects(at: now) }
    for fleet in fleets.indices { feedIdle(of: fleet, at: now) }
    for configuration in configurations.indices { feedListed(configuration, at: now) }
  }

  /// Gives each idle worker of a fleet an operation: always the one that is first among all that
  /// an idle worker serves.
  private mutating func feedIdle(of fleet: FleetID, at now: Instant) {
    while let (configuration, kindQueue, key) = head(of: fleet),
      let worker = configurations[configuration].idle.first
    {
      beginWork(worker, at: now)
      assign(kindQueue, key, to: worker, expected: kindQueues[kindQueue].estimate.known ?? 0)
      arm(worker)
      list(worker)
    }
  }

  /// An idle worker is about to have something.
  mutating func beginWork(_ worker: WorkerHandle, at now: Instant) {
    let configuration = configuration(of: worker)
    configurations[configuration].idle.remove(worker)
    if !configurations[configuration].spec.isInProcess {
      fleets[configurations[configuration].fleet].busyCount += 1
      busyWorkerCount += 1
    }
    workers[worker].answerRate = AnswerRate(since: now)
    workers[worker].frontSince = now
  }

  /// The head of what the idle workers of a fleet serve.
  private mutating func head(of fleet: FleetID) -> (
    configuration: ConfigurationID, kindQueue: KindQueueHandle, key: ReadyKey
  )? {
    var best: (configuration: ConfigurationID, kindQueue: KindQueueHandle, key: ReadyKey)?
    for configuration in fleets[fleet].configurations
    where !configurations[configuration].idle.isEmpty {
      guard let (kindQueue, key) = head(for: configuration) else { continue }
      if let current = best, current.key < key { continue }
      best = (configuration, kindQueue, key)
    }
    return best
  }

  /// Fills the prefetch of busy workers, an even share each, as long as the head may be held.
  private mutating func feedListed(_ configuration: ConfigurationID, at now: Instant) {
    guard !configurations[configuration].listed.isEmpty, headExpectation(for: configuration) != nil,
      !lacksFreshWorker(configuration)
    else { return }
    let share = max(1, readyCount(for: configuration) / configurations[configuration].listed.count)
    var kept: [WorkerHandle] = []
    for worker in configurations[configuration].listed {
      if fill(worker, of: configuration, upTo: share, at: now) {
        kept.append(worker)
      } else {
        workers[worker].isListed = false
      }
    }
    configurations[configuration].listed = kept
  }

  /// Gives a worker operations to hold; false when it has no room left.
  private mutating func fill(
    _ worker: WorkerHandle,
    of configuration: ConfigurationID,
    upTo share: Int,
    at now: Instant
  ) -> Bool {
    guard hasPatience(worker, at: now) else { return false }
    // What it holds from now on must be asked back in time.
    defer { arm(worker) }
    for _ in 0..<share {
      guard let (kindQueue, key, expected) = headExpectation(for: configuration) else {
        return true
      }
      guard workers[worker].hasRoom(for: expected) else { return false }
      assign(kindQueue, key, to: worker, expected: expected)
    }
    return true
  }

  /// Whether what the worker executes has not been executing for long.
  private func hasPatience(_ worker: WorkerHandle, at now: Instant) -> Bool {
    guard workers[worker].isExecuting, let first = workers[worker].line.first else { return true }
    return now < operations[first.slot].startedAt.advanced(by: PrefetchPolicy.patience)
  }

  /// Operations that the worker configuration's workers could be given; O(kind queues).
  func readyCount(for configuration: ConfigurationID) -> Int {
    configurations[configuration].kindQueues.reduce(0) { sum, kindQueue in
      queues[kindQueues[kindQueue].queue].isOpen ? sum + kindQueues[kindQueue].ready.count : sum
    }
  }

  /// The head of the ready queue, as far as the worker configuration serves it and its queue has
  /// room.
  private mutating func head(for configuration: ConfigurationID) -> (
    kindQueue: KindQueueHandle, key: ReadyKey
  )? {
    scan: while true {
      var best: (kindQueue: KindQueueHandle, key: ReadyKey)?
      for place in 0..<configurations[configuration].kindQueues.count {
        let kindQueue = configurations[configuration].kindQueues[place]
        guard let key = kindQueues[kindQueue].ready.first else { continue }
        if let current = best, current.key < key { continue }
        switch room(for: key, kindQueue, configuration) {
        case .free: best = (kindQueue, key)
        case .none: continue
        // Those that were looked at before may have to wait for it.
        case .reserved: continue scan
        }
      }
      return best
    }
  }

  /// The head, if its expected length is known and short enough to be held, and nothing but a
  /// worker's time is taken by it.
  private mutating func headExpectation(
    for configuration: ConfigurationID
  ) -> (kindQueue: KindQueueHandle, key: ReadyKey, expected: Int64)? {
    guard let (kindQueue, key) = head(for: configuration),
      let expected = kindQueues[kindQueue].estimate.known,
      expected <= PrefetchPolicy.heldWorkLimit
    else { return nil }
    let slot = order.occupant(key.position)
    guard operations[slot].slots == 1, !operations[slot].hasClaims else { return nil }
    return (kindQueue, key, expected)
  }

  mutating func assign(
    _ kindQueue: KindQueueHandle,
    _ key: ReadyKey,
    to worker: WorkerHandle,
    expected: Int64
  ) {
    let slot = order.occupant(key.position)
    let number = DispatchNumber(rawValue: nextNumber)
    nextNumber += 1
    removeReady(slot)
    let id = workers[worker].id
    let takesPlaces = !configurations[configuration(of: worker)].spec.isInProcess
    operations[slot].dispatch(
      OperationDispatch(worker: id, takesPlaces: takesPlaces, number: number)
    )
    occupy(slot)
    workers[worker].line.append(Assignment(slot: slot, number: number, expected: expected))
    let reference = DispatchReference(operation: operations.id(of: slot), dispatch: number)
    effects.append(.dispatch(id, reference, attempt: Int(operations[slot].attempt) + 1))
  }

  /// Notes that a busy worker may have room.
  mutating func list(_ worker: WorkerHandle) {
    guard !workers[worker].isListed, workers[worker].canHold else { return }
    workers[worker].isListed = true
    configurations[configuration(of: worker)].listed.append(worker)
  }
}

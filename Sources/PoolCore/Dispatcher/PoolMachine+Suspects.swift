import PoolModel

// Operations under which workers have died are tried again where they can harm nobody else.

extension PoolMachine {
  /// A worker's death is held against the operation that it executed, or was about to; returns
  /// whether that was one too many.
  mutating func blame(_ slot: OperationHandle, _ worker: WorkerID, _ detail: DetailID) -> Bool {
    effects.append(.blame(operations.id(of: slot), worker, detail))
    return suspects.count(slot) >= policy.quarantineLimit
  }

  /// Gives suspects to fresh workers, and lets others go to make room for fresh ones.
  mutating func feedSuspects(at now: Instant) {
    for configuration in configurations.indices
    where !fleets[configurations[configuration].fleet].isClosing {
      while let (kindQueue, key) = firstSuspect(for: configuration),
        room(for: key, kindQueue, configuration) == .free,
        let worker = workerForSuspect(of: configuration)
      {
        beginWork(worker, at: now)
        workers[worker].isAlone = true
        assign(kindQueue, key, to: worker, expected: 0)
        arm(worker)
      }
      while lacksFreshWorker(configuration), let worker = configurations[configuration].idle.first {
        retire(worker, at: now)
      }
    }
  }

  /// Whether a suspect is the next that the worker configuration's workers would execute, all of
  /// them have executed something before, and none is about to be replaced.
  ///
  /// Then they hold nothing, so that one of them soon has nothing to do. O(workers).
  func lacksFreshWorker(_ configuration: ConfigurationID) -> Bool {
    let life = configurations[configuration]
    guard suspects.offeredCount > 0, !life.isExhausted, life.live >= life.spec.count,
      let (_, key) = firstSuspect(for: configuration), isNext(key, for: configuration)
    else { return false }
    let departing = workers.living.count {
      workers[$0].configuration == configuration && workers[$0].state == .ending
    }
    return suspectCount(for: configuration) > departing + life.starting
      + freshIdleCount(of: configuration)
  }

  /// Suspects that the worker configuration's workers could be given; O(kind queues).
  func suspectCount(for configuration: ConfigurationID) -> Int {
    guard suspects.offeredCount > 0 else { return 0 }
    return configurations[configuration].kindQueues.reduce(0) { sum, kindQueue in
      queues[kindQueues[kindQueue].queue].hasRoom ? sum + kindQueues[kindQueue].suspects.count : sum
    }
  }

  /// Workers with nothing to do that have never executed anything.
  func freshIdleCount(of configuration: ConfigurationID) -> Int {
    workers.living.count { isFresh($0, of: configuration) }
  }

  private func isFresh(_ worker: WorkerHandle, of configuration: ConfigurationID) -> Bool {
    workers[worker].configuration == configuration && workers[worker].isIdle
      && workers[worker].answered == 0
  }

  /// The first of the suspects in queues that have room.
  private func firstSuspect(for configuration: ConfigurationID) -> (
    kindQueue: KindQueueHandle, key: ReadyKey
  )? {
    var best: (kindQueue: KindQueueHandle, key: ReadyKey)?
    for kindQueue in configurations[configuration].kindQueues
    where queues[kindQueues[kindQueue].queue].hasRoom {
      guard let key = kindQueues[kindQueue].suspects.first else { continue }
      if let current = best, current.key < key { continue }
      best = (kindQueue, key)
    }
    return best
  }

  /// Whether nothing else that the worker configuration's workers may be given comes before it.
  private func isNext(_ key: ReadyKey, for configuration: ConfigurationID) -> Bool {
    configurations[configuration].kindQueues.allSatisfy { kindQueue in
      guard queues[kindQueues[kindQueue].queue].hasRoom,
        let other = kindQueues[kindQueue].ready.first
      else {
        return true
      }
      return key < other
    }
  }

  /// An idle worker that has executed nothing yet; any, where there will be no fresh one.
  private func workerForSuspect(of configuration: ConfigurationID) -> WorkerHandle? {
    if configurations[configuration].isExhausted { return configurations[configuration].idle.first }
    guard !configurations[configuration].idle.isEmpty else { return nil }
    return workers.living.first { isFresh($0, of: configuration) }
  }
}

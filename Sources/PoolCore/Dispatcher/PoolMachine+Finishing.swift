import PoolModel

// A worker has done with what it had first.

extension PoolMachine {
  /// The first of a worker's line was answered or given back.
  mutating func finishFirst(_ worker: WorkerHandle, _ kindQueue: KindQueueHandle?, at now: Instant)
  {
    workers[worker].line.removeFirst()
    workers[worker].isExecuting = false
    workers[worker].isAlone = false
    workers[worker].group = nil
    endTeardown(worker, at: now)
    if let kindQueue {
      workers[worker].answered += 1
      if workers[worker].answered == 1 {
        configurations[configuration(of: worker)].endFailures(by: workers[worker].id)
      }
      workers[worker].answerRate.answers += 1
      workers[worker].answerRate.kindQueue = kindQueue
    }
    // A time that has passed must not be armed.
    if let due = retirement(of: worker), due <= now { workers[worker].quota = 0 }
    if let first = workers[worker].line.first {
      workers[worker].frontSince = now
      return armFront(worker, first.slot, at: now)
    }
    workers[worker].hasRecalled = false
    countIdle(configuration(of: worker))
    if workers[worker].state == .serving { becomeIdle(worker, at: now) }
  }

  /// A worker has nothing to do any more: it waits for more, or is let go.
  private mutating func becomeIdle(_ worker: WorkerHandle, at now: Instant) {
    configurations[configuration(of: worker)].idle.insert(worker)
    let isClosing = fleets[configurations[configuration(of: worker)].fleet].isClosing
    if isClosing || workers[worker].answered >= workers[worker].quota {
      return retire(worker, at: now)
    }
    if retirement(of: worker) != nil { arm(worker) }
  }

  /// An operation that was dispatched and not started is ready again, at no charge.
  mutating func takeBack(_ slot: OperationHandle, at now: Instant) {
    vacate(slot)
    if operations[slot].state.isCancelled {
      settle(slot, as: .cancelled, because: .request, at: now)
    } else {
      let queuedAt = operations[slot].queuedAt
      makeReady(slot, at: now)
      operations[slot].queuedAt = queuedAt
    }
  }

  /// A worker of the worker configuration has nothing to do any more.
  mutating func countIdle(_ configuration: ConfigurationID) {
    if !configurations[configuration].spec.isInProcess {
      fleets[configurations[configuration].fleet].busyCount -= 1
      busyWorkerCount -= 1
    }
  }

  func configuration(of worker: WorkerHandle) -> ConfigurationID {
    workers[worker].configuration
  }
}

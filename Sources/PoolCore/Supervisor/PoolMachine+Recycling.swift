package import PoolModel

// Workers are replaced when they have worked, lived or grown enough, and somebody asked for that.

extension PoolMachine {
  /// So many bytes of memory are a worker's; told of those that have a limit, now and then.
  ///
  /// One that has finished nothing yet is kept, here as in ``checkAge(_:at:)``: a limit that is too
  /// low for any worker must not keep all of them from working.
  package mutating func workerWeighed(_ id: WorkerID, bytes: Int, at now: Instant) {
    guard let worker = workers.slot(of: id), workers[worker].answered > 0,
      let limit = configurations[configuration(of: worker)].spec.recycling.memory, bytes > limit
    else { return }
    wearOut(worker, at: now)
  }

  /// Lets a worker go whose time has come; it may be busy still.
  mutating func checkAge(_ worker: WorkerHandle, at now: Instant) {
    guard let due = retirement(of: worker), due <= now else { return }
    wearOut(worker, at: now)
  }

  /// When a worker is to be replaced because of its age, if that is so and not under way.
  func retirement(of worker: WorkerHandle) -> Instant? {
    guard workers[worker].hasAgeLimit, workers[worker].state == .serving,
      workers[worker].quota > 0, workers[worker].answered > 0
    else { return nil }
    return workers[worker].retireAt
  }

  /// A worker gets nothing more: it finishes what it has, and is let go.
  private mutating func wearOut(_ worker: WorkerHandle, at now: Instant) {
    workers[worker].quota = 0
    if workers[worker].isIdle { retire(worker, at: now) }
  }
}

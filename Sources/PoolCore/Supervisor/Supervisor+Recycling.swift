import PoolModel

// Workers are replaced when they have worked, lived or grown enough, where a limit for that was
// set.

extension Supervisor {
  /// So many bytes of memory are a worker's; told of those that have a limit, now and then.
  ///
  /// One that has finished nothing yet is kept, here as in ``retirement(of:)``: a limit that is too
  /// low for any worker must not keep all of them from working.
  mutating func memoryMeasured(_ worker: WorkerHandle, bytes: Int, _ context: inout EventContext) {
    guard workers[worker].answered > 0,
      let limit = configurations[workers[worker].configuration].spec.recycling.memory, bytes > limit
    else { return }
    drain(worker, &context)
  }

  /// When a worker is to be replaced because of its age, if that is so and not under way.
  @inline(__always)
  func retirement(of worker: WorkerHandle) -> Instant? {
    guard workers[worker].hasAgeLimit, workers[worker].state == .serving,
      workers[worker].quota > 0, workers[worker].answered > 0
    else { return nil }
    return workers[worker].retireAt
  }

  /// A worker gets nothing more: it finishes what it has, and is let go.
  mutating func drain(_ worker: WorkerHandle, _ context: inout EventContext) {
    workers[worker].quota = 0
    guard workers[worker].state == .serving else { return }
    if workers[worker].front == nil {
      retire(worker, &context)
    } else {
      news.append(.closed(worker))
    }
  }

  /// How many operations a worker may answer from now on.
  func allowance(of worker: WorkerHandle) -> Int {
    max(workers[worker].quota - workers[worker].answered, 0)
  }
}

import PoolModel

// Replaces workers that have reached a limit of operations, age or memory.

extension Supervisor {
  /// Takes a measurement of a worker's memory; made now and then if there is a limit.
  ///
  /// A worker that has finished nothing yet is kept, here as in ``retirement(of:)``: otherwise a
  /// limit that is too low for any worker would prevent all work.
  mutating func memoryMeasured(_ worker: WorkerHandle, bytes: Int, _ context: inout EventContext) {
    guard workers[worker].answered > 0,
      let limit = configurations[workers[worker].configuration].spec.recycling.memory, bytes > limit
    else { return }
    recycle(worker, &context)
  }

  /// When a worker is to be replaced because of its age; nil if it is not, or already is being
  /// replaced.
  @inline(__always)
  func retirement(of worker: WorkerHandle) -> Instant? {
    guard workers[worker].hasAgeLimit, workers[worker].isServing,
      workers[worker].quota > 0, workers[worker].answered > 0
    else { return nil }
    return workers[worker].retireAt
  }

  /// Gives a worker no more operations; it ends after those that it has.
  mutating func recycle(_ worker: WorkerHandle, _ context: inout EventContext) {
    workers[worker].quota = 0
    guard workers[worker].isServing else { return }
    if workers[worker].head == nil {
      retire(worker, &context)
    } else {
      consequences.append(.closed(worker))
    }
  }

  /// Number of operations that a worker may still answer.
  func allowance(of worker: WorkerHandle) -> Int {
    max(workers[worker].quota - workers[worker].answered, 0)
  }
}

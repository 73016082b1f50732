import PoolModel

extension Supervisor {
  /// A worker has begun to print where it crashes, which may take longer than its operation's
  /// timeout: it gets ``PoolPolicy/crashTimeout`` from now on, so that its end is told as a crash.
  mutating func awaitCrash(of worker: WorkerHandle, at now: Instant) {
    guard let head = workers[worker].head, head.isExecuting else { return }
    let end = now.nanoseconds - head.startedAt.nanoseconds + policy.crashTimeout
    let more = max(end - limit(of: head), 0)
    workers[worker].head?.forgiven += more
    arm(worker)
  }
}

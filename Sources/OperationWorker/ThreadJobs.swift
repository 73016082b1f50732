import PoolSystem

/// Executes the jobs of a task, one after the other, on the thread that waits for it.
///
/// The system's own threads serve every task of the process, so that none of them may be lowered
/// for one operation; a thread that is given up for the operation may.
final class ThreadJobs: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var isOver = false
  }

  private let state = Monitor(State())

  /// Takes a job, from whatever thread.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.jobs.append(job) }
    state.signal()
  }

  /// Lets ``run()`` return.
  func finish() {
    state.withLock { $0.isOver = true }
    state.signal()
  }

  /// Executes what comes, on the calling thread, until it is finished.
  func run() {
    let executor = asUnownedTaskExecutor()
    while let jobs = next() {
      for job in jobs { job.runSynchronously(on: executor) }
    }
  }

  private func next() -> [UnownedJob]? {
    state.wait(
      while: { $0.jobs.isEmpty && !$0.isOver },
      then: { state in
        guard !state.jobs.isEmpty else { return nil }
        defer { state.jobs = [] }
        return state.jobs
      }
    )
  }
}

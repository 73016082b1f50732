import PoolSystem

/// Executes the jobs of a task, one after the other, on the thread that waits for it.
///
/// The system's own threads serve every task of the process, so that none of them may be lowered
/// for one operation; a thread that is given up for the operation may.
final class ThreadJobs: TaskExecutor {
  /// Jobs, or nil for the end.
  private let mailbox = Mailbox<UnownedJob?>()

  /// Takes a job, from whatever thread.
  func enqueue(_ job: consuming ExecutorJob) {
    mailbox.put(UnownedJob(job))
  }

  /// Lets ``run()`` return.
  func finish() {
    mailbox.put(nil)
  }

  /// Executes what comes, on the calling thread, until it is finished and nothing is left to
  /// execute.
  func run() {
    let executor = asUnownedTaskExecutor()
    var isOver = false
    while !isOver {
      for job in mailbox.takeAll() {
        guard let job else {
          isOver = true
          continue
        }
        job.runSynchronously(on: executor)
      }
    }
  }
}

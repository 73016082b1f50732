import PoolSystem

/// Executes the jobs of a task, one after the other, on the thread that waits for it.
///
/// The runtime's threads serve every task of the process, so none of them may be lowered for one
/// operation; a thread of the operation's own may.
final class CallingThreadExecutor: TaskExecutor {
  /// Jobs, or nil for the end.
  private let mailbox = Mailbox<UnownedJob?>()

  /// Takes a job from any thread.
  func enqueue(_ job: consuming ExecutorJob) {
    mailbox.put(UnownedJob(job))
  }

  /// Makes ``run()`` return.
  func finish() {
    mailbox.put(nil)
  }

  /// Executes jobs on the calling thread, until it is finished and no job is left.
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

import PoolSystem
import Synchronization

/// Threads of the usual priority, which execute the jobs of tasks instead of the runtime's own.
///
/// On Linux a new thread inherits the priority of the thread that made it. So a lowered operation
/// that uses a sleeping task or a Dispatch queue may leave the runtime with low threads, which only
/// a privileged process can raise. From then on, suspending operations of this worker, and their
/// child tasks, execute here.
final class ThreadPoolExecutor: TaskExecutor {
  private struct State {
    /// In the order of arrival, from `next` on.
    var jobs: [UnownedJob] = []
    var next = 0
    var idleCount = 0
    var threadCount = 1

    var waitingCount: Int { jobs.count - next }

    mutating func take() -> UnownedJob {
      defer {
        next += 1
        if next == jobs.count { (jobs, next) = ([], 0) }
      }
      return jobs[next]
    }
  }

  /// Whether a thread of this process was lowered, and could not be raised again.
  static let areNeeded = Atomic(false)
  /// The threads of this process; nil if no thread can be made.
  static let shared: ThreadPoolExecutor? = {
    let threads = ThreadPoolExecutor()
    return threads.start() ? threads : nil
  }()

  private let state = Monitor(State())

  /// Takes a job from any thread.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let needsThread = NormalPriorityThread.execute {
      state.withLock { state in
        state.jobs.append(job)
        guard state.idleCount < state.waitingCount, state.threadCount < Processors.available else {
          return false
        }
        state.threadCount += 1
        return true
      }
    }
    state.signal()
    // If no other thread can be started, the existing ones execute all jobs.
    if needsThread, !start() {
      NormalPriorityThread.execute { state.withLock { $0.threadCount -= 1 } }
    }
  }

  private func start() -> Bool {
    let thread = try? SystemThread.start(name: "opool-tasks", mask: .full) {
      let executor = self.asUnownedTaskExecutor()
      while true { self.next().runSynchronously(on: executor) }
    }
    thread?.detach()
    return thread != nil
  }

  private func next() -> UnownedJob {
    state.withLock { $0.idleCount += 1 }
    return state.wait(
      while: { $0.waitingCount == 0 },
      then: { state in
        state.idleCount -= 1
        return state.take()
      }
    )
  }
}

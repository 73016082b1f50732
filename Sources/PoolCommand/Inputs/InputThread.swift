import PoolSystem

/// Makes inputs ready, one operation's after the other's, on a thread that lives while there are
/// some.
///
/// Not one of Dispatch's: where the system has no thread left, Dispatch waits for one for ever.
/// Here the caller does it then.
final class InputThread: Sendable {
  private struct Jobs {
    var waiting: [@Sendable () -> Void] = []
    var isRunning = false
  }

  private let jobs = Monitor(Jobs())

  /// Has a job done soon, after those that came before.
  func submit(_ job: @escaping @Sendable () -> Void) {
    let isFirst = jobs.withLock { jobs in
      defer { jobs.isRunning = true }
      jobs.waiting.append(job)
      return !jobs.isRunning
    }
    guard isFirst else { return }
    do throws(SystemFailure) {
      try SystemThread.start(name: "opool-inputs", mask: .full) { self.work() }.detach()
    } catch {
      work()
    }
  }

  /// Waits until all jobs are done, and what they held is let go: files of inputs go with it.
  func wait() {
    jobs.wait(while: { $0.isRunning }, then: { _ in })
  }

  /// Does what waits, until nothing does.
  private func work() {
    while let jobs = takeAll() {
      for job in jobs { job() }
    }
    jobs.broadcast()
  }

  private func takeAll() -> [@Sendable () -> Void]? {
    jobs.withLock { jobs in
      guard !jobs.waiting.isEmpty else {
        jobs.isRunning = false
        return nil
      }
      defer { jobs.waiting = [] }
      return jobs.waiting
    }
  }
}

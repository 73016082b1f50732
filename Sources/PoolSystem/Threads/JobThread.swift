/// Does jobs one after the other, on a thread that lives while there are any.
///
/// Dispatch is not used, because it waits forever if the system has no thread left. Here, the
/// caller then does the work itself.
package final class JobThread: Sendable {
  private struct Jobs {
    var waiting: [@Sendable () -> Void] = []
    var isRunning = false
  }

  private let name: String
  private let jobs = Monitor(Jobs())

  /// Makes one whose thread will have this name.
  package init(name: String) {
    self.name = name
  }

  /// Runs a job after those submitted before.
  package func submit(_ job: @escaping @Sendable () -> Void) {
    let isFirst = jobs.withLock { jobs in
      defer { jobs.isRunning = true }
      jobs.waiting.append(job)
      return !jobs.isRunning
    }
    guard isFirst else { return }
    do throws(SystemFailure) {
      try SystemThread.start(name: name, mask: .full) { self.work() }.detach()
    } catch {
      work()
    }
  }

  /// Waits until all jobs are done and released, with the files that they held.
  package func wait() {
    jobs.wait(while: { $0.isRunning }, then: { _ in })
  }

  /// Runs the waiting jobs until there are none.
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

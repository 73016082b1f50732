import PoolModel
import PoolSystem
import PoolWire

/// Asks the coordinator again and again to renew this worker's lease, on a thread of its own.
///
/// It only asks: the kernel ends what the worker executes, and then the worker, when the lease is
/// over.
final class LeaseKeeper: Sendable {
  private let requests: Monitor<LeaseRequests>
  private let interval: Int64

  /// Begins a lease, of which the greeting was the first request.
  init(_ terms: LeaseTerms, greetedAt: Int64) throws(SystemFailure) {
    let requests = LeaseRequests(terms, greetedAt: greetedAt)
    try ProcessLease.extend(until: requests.end)
    interval = terms.interval
    self.requests = Monitor(requests)
  }

  /// Asks until the connection breaks.
  ///
  /// While the guardian has not seen the last renewal, it may be stopped: then the lease is left to
  /// end, so that what the guardian has to end does not outlive it.
  func run(on connection: CoordinatorConnection) {
    while true {
      MonotonicClock.sleep(nanoseconds: interval)
      guard ProcessLease.isShared else { continue }
      let number = requests.withLock { $0.ask(at: ProcessLease.clock) }
      do throws(SystemFailure) {
        try connection.send(.renew(number))
      } catch {
        return
      }
    }
  }

  /// The coordinator has answered a request.
  func note(answerTo number: UInt64) {
    let end = requests.withLock { $0.note(answerTo: number) ? $0.end : nil }
    guard let end, (try? ProcessLease.extend(until: end)) != nil else { return }
    requests.broadcast()
  }

  /// The coordinator is about to be stopped, and this worker's command with it.
  func stop(_ terms: LeaseTerms) {
    extend { $0.stop(terms) }
    GroupCleanup.stop()
  }

  /// The coordinator goes on.
  func proceed(on connection: CoordinatorConnection) throws(SystemFailure) {
    extend { $0.proceed(at: ProcessLease.clock) }
    GroupCleanup.proceed()
    let number = requests.withLock { $0.ask(at: ProcessLease.clock) }
    try connection.send(.renew(number))
  }

  private func extend(_ change: (inout LeaseRequests) -> Void) {
    let end = requests.withLock { requests in
      change(&requests)
      return requests.end
    }
    try? ProcessLease.extend(until: end)
  }

  /// Waits until an operation may begin.
  func awaitTime() {
    requests.wait(while: { !$0.mayBegin(at: ProcessLease.clock) }, then: { _ in })
  }
}

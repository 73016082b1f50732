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
    try ProcessLease.set(until: requests.end)
    interval = terms.interval
    self.requests = Monitor(requests)
  }

  /// Asks until the connection breaks.
  func run(on connection: CoordinatorConnection) {
    while true {
      MonotonicClock.sleep(nanoseconds: interval)
      // Also what could not be set before, because the guardian had not seen the time before that.
      setEnd()
      do throws(SystemFailure) {
        try ask(on: connection)
      } catch {
        return
      }
    }
  }

  /// Sends a request.
  ///
  /// Not while the guardian has not seen the last renewal, because it may be stopped: then the
  /// lease is left to end, so that what the guardian has to end does not outlive it.
  private func ask(on connection: CoordinatorConnection) throws(SystemFailure) {
    guard ProcessLease.isShared else { return }
    let number = requests.withLock { $0.ask(at: ProcessLease.clock) }
    try connection.send(.renew(number))
  }

  /// The coordinator has answered a request.
  func note(answerTo number: UInt64) {
    change { $0.note(answerTo: number) }
  }

  /// The coordinator is about to be stopped, and this worker's command with it.
  func stop(_ terms: LeaseTerms) {
    change { $0.stop(terms) }
    GroupCleanup.stop()
  }

  /// The coordinator goes on.
  func proceed(on connection: CoordinatorConnection) throws(SystemFailure) {
    change { $0.proceed(at: ProcessLease.clock) }
    GroupCleanup.proceed()
    try ask(on: connection)
  }

  private func change(_ body: (inout LeaseRequests) -> Void) {
    requests.withLock { body(&$0) }
    requests.broadcast()
    setEnd()
  }

  /// Tells the kernel the end; where that is not possible yet, the next time will do.
  private func setEnd() {
    try? ProcessLease.set(until: requests.withLock { $0.end })
  }

  /// Waits until an operation may begin.
  func awaitTime() {
    requests.wait(while: { !$0.mayBegin(at: ProcessLease.clock) }, then: { _ in })
  }
}

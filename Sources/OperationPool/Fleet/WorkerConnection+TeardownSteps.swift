import PoolModel
import PoolWire

// The steps that a worker took itself, and when.

extension WorkerConnection {
  /// The worker is asked to stop an operation; the first time is what it counts from.
  func noteRequest(_ reference: DispatchReference, at now: Instant) {
    if requests[reference.dispatch] == nil { requests[reference.dispatch] = now }
  }

  /// When the worker was asked to stop what it has answered now.
  func takeRequest(of reference: DispatchReference) -> Instant? {
    requests.isEmpty ? nil : requests.removeValue(forKey: reference.dispatch)
  }

  /// Forgets the requests that came too late: a worker begins in the order of dispatch.
  func forgetRequests(before reference: DispatchReference) {
    if !requests.isEmpty { requests = requests.filter { $0.key >= reference.dispatch } }
  }

  /// What the worker says that it did to end an operation; nothing where nobody had asked.
  ///
  /// The worker counts from the moment in which it was told, and this side from the one in which it
  /// wrote that down: a little earlier.
  func record(of answer: Answer, _ request: Instant?) -> SettlementRecord {
    var record = SettlementRecord()
    guard let request else { return record }
    record.stepsTaken = answer.stepsTaken.map { taken in
      let (nanoseconds, overflow) = taken.microseconds.multipliedReportingOverflow(by: 1_000)
      let time = overflow ? Instant.distantFuture : request.advanced(by: nanoseconds)
      return PoolTeardownStepTaken(action: taken.action, at: time.seconds)
    }
    return record
  }
}

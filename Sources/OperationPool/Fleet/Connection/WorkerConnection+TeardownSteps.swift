import PoolModel
import PoolWire

// The teardown steps that a worker took itself, with their times.

extension WorkerConnection {
  /// Notes when the worker is first asked to stop an operation.
  func noteRequest(_ reference: DispatchReference, at now: Instant) {
    if requests[reference.dispatch] == nil { requests[reference.dispatch] = now }
  }

  /// Takes the time at which the worker was asked to stop this operation, which it has answered.
  func takeRequest(of reference: DispatchReference) -> Instant? {
    requests.isEmpty ? nil : requests.removeValue(forKey: reference.dispatch)
  }

  /// Drops requests that came too late: a worker begins operations in the order of dispatch.
  func forgetRequests(before reference: DispatchReference) {
    if !requests.isEmpty { requests = requests.filter { $0.key >= reference.dispatch } }
  }

  /// The teardown steps that the worker reports; none if it was not asked to stop the operation.
  ///
  /// The worker counts from when it read the request, this side from when it wrote it, a little
  /// earlier.
  func incidents(of answer: Answer, _ request: Instant?) -> OperationIncidents {
    var incidents = OperationIncidents()
    guard let request else { return incidents }
    incidents.stepsTaken = answer.stepsTaken.map { taken in
      let time = request.advanced(by: .microseconds(max(taken.microseconds, 0)))
      return PoolTeardownStepTaken(action: taken.action, at: time.duration)
    }
    return incidents
  }
}

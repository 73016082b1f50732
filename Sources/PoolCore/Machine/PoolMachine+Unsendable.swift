package import PoolModel

extension PoolMachine {
  /// An operation that was dispatched could not be sent: it fails.
  ///
  /// Its worker has never heard of it, and goes on. Ignored where the operation is not the worker's
  /// any more.
  package mutating func dispatchFailed(
    _ id: WorkerID,
    _ reference: DispatchReference,
    because cause: EndingCause,
    detail: DetailID,
    at now: Instant
  ) {
    guard let worker = workers.slot(of: id),
      let slot = workers[worker].line.slot(of: reference.dispatch),
      operations.id(of: slot) == reference.operation
    else { return }
    let isFirst = workers[worker].line.first?.number == reference.dispatch
    guard !isFirst || !workers[worker].isExecuting else { return }
    vacate(slot)
    if operations[slot].state.isCancelled {
      settle(slot, as: .cancelled, because: .request, at: now)
    } else {
      settle(slot, as: .failed, because: cause, detail: detail, at: now)
    }
    if isFirst {
      finishFirst(worker, nil, at: now)
    } else {
      _ = workers[worker].line.removeHeld(reference.dispatch)
    }
    settleAftermath(at: now)
  }
}

package import PoolModel

// A run is held up, or ended, from outside.

extension PoolMachine {
  /// Nothing more of a queue is started: what a worker is about is finished, without retries, and
  /// all else is cancelled.
  package mutating func drain(_ queue: QueueID, at now: Instant) {
    forEachOperation(in: Int(queue.rawValue)) { machine, slot in
      if machine.isUnderWay(slot) {
        machine.operations[slot].retriesLeft = 0
      } else {
        machine.cancel(slot, at: now)
      }
    }
    settleAftermath(at: now)
  }

  /// Whether it executes, or may by now: its worker has it, and nothing before it.
  private func isUnderWay(_ slot: Int) -> Bool {
    guard let dispatch = operations[slot].dispatch, let worker = workers.slot(of: dispatch.worker)
    else { return false }
    return workers[worker].line.first?.number == dispatch.number
  }

  /// Passes a signal on to all workers and to the commands that they execute.
  package mutating func passSignal(_ signal: Int32) {
    for worker in workers.living {
      effects.append(.pass(workers[worker].id, signal))
      if let group = workers[worker].group { effects.append(.passToGroup(group, signal)) }
    }
  }

  /// Stops this process, after what was asked for before.
  package mutating func stopProcess() {
    effects.append(.stop)
  }

  /// Has the shell told when a time has come; a later call takes the place of an earlier one.
  package mutating func setCurfew(_ curfew: Instant) {
    self.curfew = curfew
  }

  /// The time may have come.
  mutating func ringCurfew(at now: Instant) {
    guard let curfew, curfew <= now else { return }
    self.curfew = nil
    effects.append(.curfew)
  }
}

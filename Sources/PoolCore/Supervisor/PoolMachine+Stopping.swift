package import PoolModel

// A run is held up, or ended, from outside.

extension PoolMachine {
  /// Nothing more of a queue is started: what a worker is about is finished, without retries, and
  /// all else is cancelled.
  package mutating func drain(_ queue: QueueID, at now: Instant) {
    forEachOperation(in: queue) { machine, slot in
      if machine.isUnderWay(slot) {
        machine.operations[slot].retriesLeft = 0
      } else {
        machine.cancel(slot, at: now)
      }
    }
    settleAftermath(at: now)
  }

  /// Whether it executes, or may by now: its worker has it, and nothing before it.
  private func isUnderWay(_ slot: OperationHandle) -> Bool {
    guard let dispatch = operations[slot].state.dispatch,
      let worker = workers.slot(of: dispatch.worker)
    else { return false }
    return workers[worker].line.first?.number == dispatch.number
  }

  /// Stops all workers and the commands that they execute, and then this process.
  ///
  /// A worker may be starting a command whose group nobody knows yet. It is stopped when it has
  /// told the group, or after a short while: stopped at once, it would leave the command to go on.
  package mutating func stopAll(by signal: Int32, at now: Instant) {
    guard halt == nil else { return }
    var halt = Halt(signal: signal, due: now.advanced(by: policy.stopMargin))
    for worker in workers.living {
      if mayBeStartingCommand(worker) {
        halt.waiting.append(workers[worker].id)
      } else {
        pass(signal, to: worker)
      }
    }
    self.halt = halt
    if halt.waiting.isEmpty { endHalt() }
  }

  /// Lets all workers, and the commands that they execute, go on.
  package mutating func continueAll(by signal: Int32) {
    halt = nil
    for worker in workers.living {
      pass(signal, to: worker)
    }
  }

  /// Signals a worker, and the command that it executes.
  private mutating func pass(_ signal: Int32, to worker: WorkerHandle) {
    let life = workers[worker]
    effects.append(.pass(life.id, signal))
    if let group = life.group { effects.append(.passToGroup(life.id, group: group, signal)) }
  }

  private func mayBeStartingCommand(_ worker: WorkerHandle) -> Bool {
    let life = workers[worker]
    return life.state == .serving && !life.line.isEmpty && life.group == nil
      && !configurations[configuration(of: worker)].spec.isInProcess
  }

  /// A worker has told the group of its command, which must not go on while everything stops.
  mutating func stopIfHalted(_ worker: WorkerHandle, _ group: Int32) {
    guard var halt else { return }
    let id = workers[worker].id
    if halt.waiting.contains(id) {
      halt.waiting.removeAll { $0 == id }
      self.halt = halt
      effects.append(.pass(id, halt.signal))
    }
    effects.append(.passToGroup(id, group: group, halt.signal))
    if halt.waiting.isEmpty, !halt.isOver { endHalt() }
  }

  /// Those that have told no group had their time.
  mutating func ringHalt(at now: Instant) {
    guard let halt, halt.due <= now, !halt.isOver else { return }
    for id in halt.waiting where workers.slot(of: id) != nil {
      effects.append(.pass(id, halt.signal))
    }
    endHalt()
  }

  private mutating func endHalt() {
    halt?.waiting = []
    halt?.due = .distantFuture
    effects.append(.stop)
  }

  /// Has the shell told when a time has come; a later call takes the place of an earlier one.
  package mutating func setRunDeadline(_ runDeadline: Instant) {
    self.runDeadline = runDeadline
  }

  /// The time may have come.
  mutating func passRunDeadline(at now: Instant) {
    guard let runDeadline, runDeadline <= now else { return }
    self.runDeadline = nil
    effects.append(.runDeadline)
  }
}

/// Everything stops; kept until everything goes on.
struct Halt {
  /// What stops it.
  let signal: Int32
  /// When those that it waits for are stopped all the same; never, once this process was stopped.
  var due: Instant
  /// Workers that may be starting a command.
  var waiting: [WorkerID] = []

  var isOver: Bool { due == .distantFuture }
}

import PoolModel

// All workers are stopped, or go on, with what they execute.

extension Supervisor {
  /// A worker has named the process group of its command.
  mutating func named(_ group: Int32, by worker: WorkerHandle, _ turn: inout Turn) {
    workers[worker].group = group
    stopIfHalted(worker, group, &turn)
  }

  /// Stops all workers and the commands that they execute, and then this process.
  ///
  /// This process may have been stopped before: since it asks, something has continued it, of which
  /// nothing was told. A signal that stops drops one that continues, if that is still to be handled.
  mutating func stopAll(by signal: Int32, _ turn: inout Turn) {
    guard halt?.hasBegun ?? true else { return }
    halt = Halt(signal: signal, due: turn.now.advanced(by: policy.stopMargin))
    for worker in workers.living { stop(worker, by: signal, &turn) }
    haltWhenStopped(&turn)
  }

  /// Stops a worker and the command that it executes.
  ///
  /// It may be starting a command whose group is not known yet. It is stopped when it has told the
  /// group, or after a short while: stopped at once, it would leave the command to go on.
  private mutating func stop(_ worker: WorkerHandle, by signal: Int32, _ turn: inout Turn) {
    let id = workers[worker].id
    if mayBeStartingCommand(worker) {
      halt?.waiting.append(id)
    } else {
      pass(signal, to: worker, &turn)
    }
  }

  /// All workers were stopped that can be at once: where that is all of them, this process is next.
  private mutating func haltWhenStopped(_ turn: inout Turn) {
    if let halt, halt.waiting.isEmpty, !halt.isOver { endHalt(&turn) }
  }

  /// This process is about to stop; returns whether it still must.
  ///
  /// Between the decision and this, it may have been told to go on: then nothing would continue it.
  package mutating func beginHalt() -> Bool {
    guard let halt, halt.isOver, !halt.hasBegun else { return false }
    self.halt?.hasBegun = true
    return true
  }

  /// Lets all workers, and the commands that they execute, go on.
  mutating func continueAll(by signal: Int32, _ turn: inout Turn) {
    halt = nil
    for worker in workers.living {
      pass(signal, to: worker, &turn)
    }
  }

  /// Signals a worker, and the command that it executes.
  private mutating func pass(_ signal: Int32, to worker: WorkerHandle, _ turn: inout Turn) {
    let life = workers[worker]
    turn.effects.append(.pass(life.id, signal))
    if let group = life.group { turn.effects.append(.passToGroup(life.id, group: group, signal)) }
  }

  private func mayBeStartingCommand(_ worker: WorkerHandle) -> Bool {
    let life = workers[worker]
    return life.front != nil && life.state == .serving && life.group == nil && !isInProcess(worker)
  }

  /// A worker has told the group of its command, which must not go on while everything stops.
  private mutating func stopIfHalted(_ worker: WorkerHandle, _ group: Int32, _ turn: inout Turn) {
    guard var halt else { return }
    let id = workers[worker].id
    if halt.waiting.contains(id) {
      halt.waiting.removeAll { $0 == id }
      self.halt = halt
      turn.effects.append(.pass(id, halt.signal))
    }
    turn.effects.append(.passToGroup(id, group: group, halt.signal))
    haltWhenStopped(&turn)
  }

  /// The time has come for what is about no worker.
  mutating func ringClocks(_ turn: inout Turn) {
    if let runDeadline, runDeadline <= turn.now {
      self.runDeadline = nil
      turn.effects.append(.runDeadline)
    }
    ringHalt(&turn)
    // What may be started again is, with the next dispatch.
    while let configuration = restarts.popDue(at: turn.now) {
      news.append(.mayStart(configuration))
    }
  }

  /// Those that have told no group had their time.
  private mutating func ringHalt(_ turn: inout Turn) {
    guard let halt, halt.due <= turn.now, !halt.isOver else { return }
    for id in halt.waiting where workers.handle(of: id) != nil {
      turn.effects.append(.pass(id, halt.signal))
    }
    endHalt(&turn)
  }

  private mutating func endHalt(_ turn: inout Turn) {
    halt?.waiting = []
    halt?.due = .distantFuture
    turn.effects.append(.stop)
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
  /// Whether this process has stopped, or is about to.
  var hasBegun = false

  var isOver: Bool { due == .distantFuture }
}

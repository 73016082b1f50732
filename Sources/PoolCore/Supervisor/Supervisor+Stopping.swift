import PoolModel

// All workers are stopped, or go on, with what they execute.

extension Supervisor {
  /// A worker has named the process group of its command.
  mutating func noteCommandGroup(
    _ group: Int32,
    of worker: WorkerHandle,
    _ context: inout EventContext
  ) {
    workers[worker].group = group
    stopIfHalted(worker, group, &context)
  }

  /// Stops all workers and the commands that they execute, and then this process.
  ///
  /// This process may have been stopped before: since it asks, something has continued it, of which
  /// nothing was told. A signal that stops drops one that continues, if that is still to be
  /// handled.
  mutating func stopAll(by signal: Int32, _ context: inout EventContext) {
    guard halt?.hasBegun ?? true else { return }
    halt = Halt(signal: signal, due: context.now.advanced(by: policy.stopMargin))
    for worker in workers.living { stop(worker, by: signal, &context) }
    haltWhenStopped(&context)
  }

  /// Stops a worker and the command that it executes.
  ///
  /// It may be starting a command whose group is not known yet. It is stopped when it has told the
  /// group, or after a short while: stopped at once, it would leave the command to go on.
  private mutating func stop(
    _ worker: WorkerHandle,
    by signal: Int32,
    _ context: inout EventContext
  ) {
    let id = workers[worker].id
    if mayBeStartingCommand(worker) {
      halt?.waiting.append(id)
    } else {
      pass(signal, to: worker, &context)
    }
  }

  /// All workers were stopped that can be at once: where that is all of them, this process is next.
  private mutating func haltWhenStopped(_ context: inout EventContext) {
    if let halt, halt.waiting.isEmpty, !halt.isOver { endHalt(&context) }
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
  mutating func continueAll(by signal: Int32, _ context: inout EventContext) {
    halt = nil
    for worker in workers.living {
      pass(signal, to: worker, &context)
    }
  }

  /// Signals a worker, and the command that it executes.
  private mutating func pass(
    _ signal: Int32,
    to worker: WorkerHandle,
    _ context: inout EventContext
  ) {
    let life = workers[worker]
    context.effects.append(.forwardSignal(life.id, signal))
    if let group = life.group {
      context.effects.append(.forwardSignalToGroup(life.id, group: group, signal))
    }
  }

  private func mayBeStartingCommand(_ worker: WorkerHandle) -> Bool {
    let life = workers[worker]
    return life.front != nil && life.state == .serving && life.group == nil && !isInProcess(worker)
  }

  /// A worker has told the group of its command, which must not go on while everything stops.
  private mutating func stopIfHalted(
    _ worker: WorkerHandle,
    _ group: Int32,
    _ context: inout EventContext
  ) {
    guard var halt else { return }
    let id = workers[worker].id
    if halt.waiting.contains(id) {
      halt.waiting.removeAll { $0 == id }
      self.halt = halt
      context.effects.append(.forwardSignal(id, halt.signal))
    }
    context.effects.append(.forwardSignalToGroup(id, group: group, halt.signal))
    haltWhenStopped(&context)
  }

  /// The time has come for what is about no worker.
  mutating func fireTimers(_ context: inout EventContext) {
    if let runDeadline, runDeadline <= context.now {
      self.runDeadline = nil
      context.effects.append(.runDeadline)
    }
    fireHaltTimer(&context)
    // What may be started again is, with the next dispatch.
    while let configuration = restarts.popDue(at: context.now) {
      news.append(.mayStart(configuration))
    }
  }

  /// Those that have told no group had their time.
  private mutating func fireHaltTimer(_ context: inout EventContext) {
    guard let halt, halt.due <= context.now, !halt.isOver else { return }
    for id in halt.waiting where workers.handle(of: id) != nil {
      context.effects.append(.forwardSignal(id, halt.signal))
    }
    endHalt(&context)
  }

  private mutating func endHalt(_ context: inout EventContext) {
    halt?.waiting = []
    halt?.due = .distantFuture
    context.effects.append(.stop)
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

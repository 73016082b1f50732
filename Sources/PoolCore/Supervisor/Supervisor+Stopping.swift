import PoolModel

// Stops and continues all workers and their commands, for Ctrl-Z and `fg`.

extension Supervisor {
  /// A worker has reported the process group of its command.
  mutating func noteCommandGroup(
    _ group: Int32,
    of worker: WorkerHandle,
    _ context: inout EventContext
  ) {
    workers[worker].group = group
    stopIfHalted(worker, group, &context)
  }

  /// Stops all workers and their commands, and then this process.
  ///
  /// If a stop has begun already, this process must have been continued without notice, since it
  /// makes this call; so it stops again. (A pending stop signal discards a pending continue
  /// signal.)
  mutating func stopAll(by signal: Int32, _ context: inout EventContext) {
    if let processStop, !processStop.isStopped { return }
    let due = context.now.advanced(by: policy.stopMargin)
    processStop = ProcessStop(signal: signal, state: .waiting([], due: due))
    for worker in workers.living { stop(worker, by: signal, &context) }
    stopWhenAllStopped(&context)
  }

  /// Stops a worker and its command.
  ///
  /// The worker may be starting a command whose group is not known yet. Then it is stopped once it
  /// has reported the group, or after a short while: if it were stopped at once, its command would
  /// go on.
  private mutating func stop(
    _ worker: WorkerHandle,
    by signal: Int32,
    _ context: inout EventContext
  ) {
    let id = workers[worker].id
    if stopsItself(worker) {
      stopFar(worker, &context)
    } else if mayBeStartingCommand(worker) {
      processStop?.wait(for: id)
    } else {
      pass(signal, to: worker, &context)
    }
  }

  /// Stops this process if no worker has to be waited for.
  private mutating func stopWhenAllStopped(_ context: inout EventContext) {
    if case .waiting([], _) = processStop?.state { endStop(&context) }
  }

  /// The loop is about to stop this process; returns whether it still must.
  ///
  /// The run may have been told to continue since the decision: then nothing would continue this
  /// process.
  package mutating func beginStop() -> Bool {
    guard case .stopping = processStop?.state else { return false }
    processStop?.state = .stopped
    return true
  }

  /// Lets all workers, and the commands that they execute, go on.
  mutating func continueAll(by signal: Int32, _ context: inout EventContext) {
    processStop = nil
    for worker in workers.living {
      if workers[worker].isStopped {
        continueFar(worker, &context)
      } else {
        pass(signal, to: worker, &context)
      }
    }
  }

  /// Signals a worker and its command.
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
    return life.head != nil && life.isServing && life.group == nil && !executesBlocks(worker)
  }

  /// A worker has reported its command's group while this process is being stopped: stops the
  /// group.
  private mutating func stopIfHalted(
    _ worker: WorkerHandle,
    _ group: Int32,
    _ context: inout EventContext
  ) {
    guard let processStop, !workers[worker].isStopped else { return }
    let id = workers[worker].id
    if self.processStop?.endWaiting(for: id) == true {
      context.effects.append(.forwardSignal(id, processStop.signal))
    }
    context.effects.append(.forwardSignalToGroup(id, group: group, processStop.signal))
    stopWhenAllStopped(&context)
  }

  /// Fires the timers that belong to no worker.
  mutating func fireTimers(_ context: inout EventContext) {
    if let runDeadline, runDeadline <= context.now {
      self.runDeadline = nil
      context.effects.append(.runDeadline)
    }
    fireStopTimer(&context)
    // The next dispatch starts these workers.
    while let configuration = restarts.popDue(at: context.now) {
      consequences.append(.mayStart(configuration))
    }
  }

  /// Stops the workers that have reported no group in time.
  private mutating func fireStopTimer(_ context: inout EventContext) {
    guard let processStop, case .waiting(let awaited, let due) = processStop.state,
      due <= context.now
    else { return }
    for id in awaited where workers.handle(of: id) != nil {
      context.effects.append(.forwardSignal(id, processStop.signal))
    }
    endStop(&context)
  }

  private mutating func endStop(_ context: inout EventContext) {
    processStop?.state = .stopping
    context.effects.append(.stop)
  }
}

/// A stop of everything, kept until everything continues.
///
///     waiting ──▶ stopping ──▶ stopped
struct ProcessStop {
  enum State {
    /// These workers may be starting a command; at `due` they are stopped anyway.
    case waiting([WorkerID], due: Instant)
    /// The loop is to stop this process.
    case stopping
    /// This process has stopped, or is about to.
    case stopped
  }

  /// The signal that stops everything.
  let signal: Int32
  var state: State

  var isStopped: Bool { if case .stopped = state { true } else { false } }

  /// When the workers that are waited for are stopped anyway.
  var due: Instant { if case .waiting(_, let due) = state { due } else { .distantFuture } }

  mutating func wait(for worker: WorkerID) {
    guard case .waiting(let workers, let due) = state else { return }
    state = .waiting(workers + [worker], due: due)
  }

  /// Returns whether the worker was waited for.
  mutating func endWaiting(for worker: WorkerID) -> Bool {
    guard case .waiting(let workers, let due) = state, workers.contains(worker) else {
      return false
    }
    state = .waiting(workers.filter { $0 != worker }, due: due)
    return true
  }
}

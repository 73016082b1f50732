import PoolContents
import PoolCore
import PoolModel
import PoolSystem
import PoolWire
import Synchronization

// Effects are performed, in order, and the pipes are written.

extension EventLoop {
  /// Performs the effects of this turn.
  mutating func act() {
    for event in fleetEvents { tell(.fleet(event)) }
    fleetEvents.removeAll(keepingCapacity: true)
    if !held.isEmpty { sendHeld() }
    tellLateLogs()
    var next = 0
    while next < turn.effects.count {
      let written = writeUsual(from: next)
      if written == 0 { perform(turn.effects[next]) }
      next += max(written, 1)
      turn.advance(by: max(written, 1))
    }
    turn.end()
    client.noteWorkers()
    let isStored = client.finishTurn()
    for connection in unsent {
      connection.isEnlisted = false
      // What no later run knows of must not be executed where this one cannot end it.
      if !isStored, connection.lease != nil { end(connection.id, by: 9, because: .shutdown) }
      flush(connection)
    }
    unsent.removeAll(keepingCapacity: true)
  }

  /// Passes on what workers have logged of operations that they had answered.
  private mutating func tellLateLogs() {
    for (worker, operation, log) in lateLogs {
      tell(.loggedLate(operation, log))
      if client.takesLines { print("operation \(operation): \(log.message)", by: worker) }
    }
    if !lateLogs.isEmpty { lateLogs = [] }
  }

  /// Passes an event to the client.
  @inline(__always)
  func tell(_ event: consuming RunEvent) {
    turn.tell(event)
  }

  /// Enlists the connection for a flush at the end of the turn.
  mutating func enlist(_ connection: WorkerConnection) {
    guard !connection.isEnlisted else { return }
    connection.isEnlisted = true
    unsent.append(connection)
  }

  /// The one place where effects are performed.
  private mutating func perform(_ effect: Effect) {
    switch effect {
    case .spawn(let worker, let configuration):
      spawn(worker, configuration)
    case .dispatch(let worker, let reference, let attempt):
      guard turn.blockWorkers[worker] == nil else { return turn.perform(effect, on: .loop) }
      dispatch(reference, attempt, to: worker)
    case .recall(let worker, let reference):
      send(.recall(reference), to: worker)
    case .welcome(let worker, let slot):
      welcome(worker, slot: Int(slot))
    case .requestCancel(let worker, let reference, let teardown):
      requestCancel(of: reference, teardown, from: worker)
    case .recordStep(let operation, let step, let instant):
      record(step, of: operation, at: instant)
    case .ping(let worker, let number):
      send(.ping(number), to: worker)
    case .signal(let worker, let signal, let reason):
      end(worker, by: signal, because: reason)
    case .forwardSignal(let worker, let signal):
      connections[worker]?.signals.send(signal)
    case .forwardSignalToGroup(let worker, let group, let signal):
      connections[worker]?.signals.send(signal, toGroup: group)
    case .stopFar(let worker, let isOn):
      if isOn { stopFar(worker) } else { continueFar(worker) }
    case .stop:
      engine.stopProcess()
    case .runDeadline:
      tell(.deadlinePassed)
    case .retire(let worker):
      retire(worker)
    case .lapse(let worker):
      engine.post(.lapsed(worker))
    case .prepare(let operation, let number):
      prepare(operation, number)
    case .passOn(let operation, let detail):
      passOn(operation, detail)
    case .blame(let operation, _, let detail):
      blame(operation, detail)
    case .settle(let settlement) where settlement.lacksWorkers:
      turn.settle(settlement, with: absenceReport(settlement))
    case .settle, .start, .notifyChange, .retry:
      turn.perform(effect, on: .loop)
    case .announce(let configuration):
      tell(.fleet(.announced(configuration)))
    case .meetShortage(let configuration):
      tell(.fleet(.metShortage(configuration, lastDeaths[configuration])))
    case .giveUp(let configuration, let serving):
      tell(.fleet(.gaveUp(configuration, lastDeaths[configuration], serving: serving)))
    case .reopen(let configuration):
      tell(.fleet(.reopened(configuration)))
    case .removeConfiguration(let configuration, let fleet):
      lastDeaths[configuration] = nil
      relays[configuration] = nil
      tell(.fleet(.ended(fleet)))
    }
  }

  /// Writes the plain dispatches to one worker that begin here; returns their number.
  private mutating func writeUsual(from start: Int) -> Int {
    guard case .dispatch(let worker, _, _) = turn.effects[start],
      let connection = connections[worker]
    else { return 0 }
    if connection.notesDispatches { return writeNoted(from: start, to: connection) }
    let written = connection.send { writer in
      client.describePlain(turn.effects[start...]) {
        writer.frame(execute: $0, attempt: $1, kind: $2, payload: $3)
      }
    }
    if written > 0 { enlist(connection) }
    return written
  }

  /// The same over a link, where the place of each dispatch in the stream is noted, and what the
  /// worker is to end in time is not plain.
  private mutating func writeNoted(from start: Int, to connection: WorkerConnection) -> Int {
    let holdsTimeouts = connection.capabilities.holdsTimeouts
    let lease = connection.lease
    var pending = connection.pendingCount
    let written = connection.send { writer in
      client.describePlain(turn.effects[start...]) { reference, attempt, kind, payload in
        if holdsTimeouts, client.timeLimit(of: reference.operation) != nil { return false }
        let before = writer.bytes.count
        guard writer.frame(execute: reference, attempt: attempt, kind: kind, payload: payload)
        else { return false }
        connection.noteDispatch(reference, behind: pending)
        if let lease {
          client.willSend(reference.operation, attempt: attempt, to: connection.id, for: lease)
        }
        pending += writer.bytes.count - before
        return true
      }
    }
    if written > 0 {
      noteGiven(connection)
      enlist(connection)
    }
    return written
  }

  private mutating func dispatch(
    _ reference: DispatchReference,
    _ attempt: Int,
    to worker: WorkerID
  ) {
    if held.concerns(worker) {
      return held.append(.dispatch(reference, attempt: attempt), to: worker)
    }
    switch client.dispatchPermission() {
    case .granted: break
    case .later: return held.append(.dispatch(reference, attempt: attempt), to: worker)
    case .denied:
      let reason = "nothing is dispatched behind an outcome that could not be kept"
      return engine.post(.unsendable(worker, reference, AttemptReport(note: reason)))
    }
    guard let connection = connections[worker] else { return }
    var execution = client.execution(of: reference.operation)
    if let refusal = execution.refusal {
      let report = AttemptReport(note: refusal, cause: .error)
      return engine.post(.unsendable(worker, reference, report))
    }
    turn.count(execution.payload)
    execution.inputs = engine.inputs.inputs(of: reference.operation)
    let timeLimit =
      connection.capabilities.holdsTimeouts ? client.timeLimit(of: reference.operation) : nil
    do throws(InputFailure) {
      connection.send(try execution.message(reference, attempt, to: connection, within: timeLimit))
      if let lease = connection.lease {
        client.willSend(reference.operation, attempt: attempt, to: worker, for: lease)
      }
      if connection.notesDispatches { noteGiven(connection) }
      enlist(connection)
    } catch {
      engine.post(.unsendable(worker, reference, AttemptReport(note: error.description)))
    }
  }

  private mutating func requestCancel(
    of reference: DispatchReference,
    _ teardown: TeardownID,
    from worker: WorkerID
  ) {
    turn.blockWorkers[worker]?.cancel(reference)
    connections[worker]?.noteRequest(reference, at: turn.time)
    // A worker that is not read could not answer.
    read(worker)
    send(.cancel(reference, turn.teardowns[Int(teardown.rawValue)]), to: worker)
  }

  private mutating func record(
    _ step: PoolTeardownSequence.Action,
    of operation: OperationID,
    at instant: Instant
  ) {
    let taken = PoolTeardownStepTaken(action: step, at: instant.duration)
    turn.note(operation) { $0.stepsTaken.append(taken) }
  }

  private mutating func end(_ worker: WorkerID, by signal: Int32, because reason: SignalReason) {
    let configuration = connections[worker]?.configuration ?? spawning[worker]?.configuration
    let timeout =
      reason == .greeting ? configuration.map { engine.greetingTimeout(of: $0) } ?? 0 : 0
    connections[worker]?.end(by: signal, because: reason, greetingTimeout: timeout)
    if signal == ProcessSignal.kill.number { expectExit(of: worker) }
    giveUpSpawn(of: worker, reason, timeout)
    // A thread cannot be killed; a block worker only gets no more operations.
    turn.blockWorkers[worker]?.retire()
  }

  private mutating func prepare(_ operation: OperationID, _ number: UInt64) {
    client.prepare(operation) { [engine] preparation in
      guard case .ready = preparation else {
        return engine.post(.prepared(operation, number, preparation))
      }
      engine.inputs.prepare(operation) { engine.post(.prepared(operation, number, $0)) }
    }
  }

  /// The worker with this number, or one that left in this turn.
  func peer(_ worker: WorkerID) -> WorkerPeer? {
    connections[worker] ?? turn.blockWorkers[worker] ?? departed.first { $0.id == worker }
  }

  private mutating func welcome(_ worker: WorkerID, slot: Int) {
    // A block worker gets no message.
    if let connection = connections[worker] {
      connection.welcome(slot: slot, as: programs[connection.configuration])
      connection.measureRoundTrip(at: engine.now.nanoseconds)
      enlist(connection)
    }
    guard let peer = peer(worker) else { return }
    let noise = connections[worker]?.noise ?? []
    let known = GreetedWorker(
      configuration: peer.configuration,
      process: peer.pid,
      host: connections[worker]?.link?.host,
      noise: noise
    )
    tell(.fleet(.greeted(worker, known)))
  }

  mutating func send(_ message: CoordinatorMessage, to worker: WorkerID) {
    if held.precedes(message, to: worker) { return held.append(.message(message), to: worker) }
    // A worker that is gone gets no message: the machine knows its exit, or soon will.
    guard let connection = connections[worker] else { return }
    connection.send(message)
    enlist(connection)
  }

  private mutating func retire(_ worker: WorkerID) {
    spawning[worker]?.isRetired = true
    turn.blockWorkers[worker]?.retire()
    if held.concerns(worker) { return held.append(.retirement, to: worker) }
    guard let connection = connections[worker] else { return }
    connection.retire()
    enlist(connection)
  }

  /// Sends what had to wait for the client's permission, as far as it gives that now.
  private mutating func sendHeld() {
    for (worker, content) in held.takeAll() {
      switch content {
      case .dispatch(let reference, let attempt): dispatch(reference, attempt, to: worker)
      case .message(let message): send(message, to: worker)
      case .retirement: retire(worker)
      }
    }
  }

  private mutating func passOn(_ operation: OperationID, _ detail: DetailID) {
    switch turn.details[Int(detail.rawValue)] {
    case .progress(let progress): tell(.progressed(operation, progress))
    case .log(let log): tell(.logged(operation, log))
    case .printed(let lines): tell(.printed(operation, lines))
    case .output(let chunk): tell(.wrote(operation, chunk))
    case .report, .taken: break
    }
  }

  private mutating func blame(_ operation: OperationID, _ detail: DetailID) {
    guard let death = turn.report(detail).death else { return }
    turn.note(operation) { $0.deaths.append(death) }
  }

  /// The report of an operation that no worker can execute.
  private mutating func absenceReport(_ settlement: Settlement) -> AttemptReport {
    guard let (kind, fleet) = client.origin(of: settlement.operation) else {
      return turn.takeReport(settlement.detail)
    }
    let absence = WorkerAbsence(
      kind: kind,
      workers: engine.workers(of: fleet, programs, lastDeaths)
    )
    let isBroken = settlement.cause == .noWorker
    return AttemptReport(note: isBroken ? absence.ofBrokenWorkers : absence.ofUnservedKind)
  }

  private mutating func spawn(_ worker: WorkerID, _ configuration: ConfigurationID) {
    guard let workers = programs[configuration] else {
      preconditionFailure("a worker configuration has a program")
    }
    guard let launcher = workers.launcherToUse else {
      turn.add(BlockWorker(worker, configuration, engine, threads))
      sharesTurns = true
      return
    }
    if chaos?.failsSpawn() == true {
      spawning[worker] = Spawning(configuration: configuration, place: .thisMachine)
      return engine.post(.failed(worker, SpawnObstacle("chaos: a spawn fails on purpose")))
    }
    spawning[worker] = Spawning(configuration: configuration, place: launcher.place)
    let isMeasured = launcher.place == .thisMachine && workers.recycling.memory != nil
    spawning[worker]?.measuresMemory = isMeasured
    let engine = engine
    spawner.spawn(
      relays[configuration].map { RelayLauncher(base: launcher, carriers: $0) } ?? launcher,
      started: { engine.post(.started(worker, StartedWorker($0))) },
      failed: { engine.post(.failed(worker, $0)) },
      ended: { engine.post(.ended(worker, $0)) }
    )
  }

  /// Stops waiting for a worker that is being started.
  ///
  /// The system call may never return. If the process starts after all, its ``StartedWorker`` ends
  /// it.
  private mutating func giveUpSpawn(
    of worker: WorkerID,
    _ reason: SignalReason,
    _ timeout: Int64
  ) {
    guard spawning[worker] != nil else { return }
    hasGivenUpSpawn = true
    spawning[worker]?.isGivenUp = true
    let time = Printable.seconds(timeout)
    let text = "did not greet within \(time): the system had not even started it"
    engine.post(.failed(worker, SpawnObstacle(text, impatience: reason)))
  }

  /// Writes the pending bytes of a connection; watches for room if the pipe does not take them all.
  mutating func flush(_ connection: WorkerConnection) {
    connection.flush()
    // A connection that left in this turn is about to close its descriptors.
    let lacksRoom = connection.hasPending && connections[connection.id] === connection
    // Mostly the pipe takes it all, and nothing changes.
    guard lacksRoom != connection.awaitsRoom else { return }
    connection.awaitsRoom = lacksRoom
    noteWaiting(for: connection)
    let key = Key.input(connection.id)
    if lacksRoom {
      poller.watch(connection.channel.input, for: .writable, key: key)
    } else {
      poller.forget(key: key)
    }
  }
}

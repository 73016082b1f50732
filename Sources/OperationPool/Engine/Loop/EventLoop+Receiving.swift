import PoolContents
import PoolCore
import PoolModel
import PoolSystem
import PoolWire

// Turns descriptors and messages of other threads into events.

extension EventLoop {
  /// Handles the descriptor with this key, which is ready.
  mutating func receive(_ key: Int) {
    guard key != Key.wake else { return wakePipe.drain() }
    guard let connection = connections[Key.worker(of: key)] else { return }
    switch key % 4 {
    case 0: receiveOutput(connection)
    case 1: flush(connection)
    default: receiveErrorOutput(connection)
    }
  }

  /// Another thread has sent a message.
  mutating func receive(_ message: PoolEngine.LoopMessage) {
    switch message {
    case .started(let id, let started):
      // One that is not taken is ended.
      guard spawning[id]?.isGivenUp != true else { return }
      connect(id, started)
      if let status = earlyExits.removeValue(forKey: id) { receive(.ended(id, status)) }
    case .failed(let id, let obstacle):
      earlyExits[id] = nil
      let configuration =
        spawning.removeValue(forKey: id)?.configuration
        ?? turn.removeBlockWorker(id)?.configuration
      guard let configuration else { return }
      turnEvents.append(rare: .failed(configuration, obstacle.death(of: id)))
    case .ended(let id, let status):
      if let carrier = trunks.removeValue(forKey: id) { return carrier.noteEnd(status) }
      receive(of: id, status)
    case .carriedEnded(let id, let status):
      receive(of: id, status)
    case .relayGreeted(let id, let hello):
      if let connection = connections[id] { beginRelay(hello, on: connection) }
    case .lapsed(let id):
      turnEvents.append(rare: .lapsed(id))
    case .greeted(let id):
      guard let worker = turn.blockWorkers[id] else { return }
      turnEvents.append(rare: .greeted(worker, BlockWorker.hello))
    case .perform(let body):
      body()
    case .readAgain:
      readAll()
    case .tail(let operation, let request, let answer):
      receive(tailOf: operation, request, answer)
    case .prepared(let operation, let number, let preparation):
      turnEvents.append(.operation(.prepared(operation, number, result(preparation))))
    case .unsendable(let id, let reference, let report):
      let detail = turn.keep(.report(report))
      turnEvents.append(.reported(id, reference, .unsent(.input, detail)))
    }
  }

  /// Blocks have ended whose threads have left it to the loop to say so.
  mutating func receiveAnswers() {
    for answer in turn.answers where turn.blockWorkers[answer.worker] != nil {
      let said = turn.report(answer.ending, answer.report)
      turnEvents.append(.reported(answer.worker, answer.reference, said))
    }
    turn.noteAnswered()
  }

  /// A worker has ended.
  private mutating func receive(of id: WorkerID, _ status: PoolExitStatus) {
    if let worker = turn.removeBlockWorker(id) {
      turnEvents.append(rare: .ended(worker, status, lackedMemory: false))
    } else if let connection = connections[id] {
      reap(connection, status)
    } else if spawning[id] != nil {
      // The thread that reports exits may be faster than the spawner's.
      earlyExits[id] = status
    }
  }

  /// Reads once, so that a worker that sends without end does not starve the others.
  private mutating func receiveOutput(_ connection: WorkerConnection) {
    let transfer = connection.receive(with: buffer) { receive($0, from: connection) }
    turnEvents.append(.read(connection.id, within: connection.partialFrame))
    guard transfer == .endOfFile else { return }
    poller.forget(key: Key.output(connection.id))
    connection.noteHangUp()
    turnEvents.append(.worker(.hungUp(connection.id)))
    expectExit(of: connection.id)
  }

  /// Turns a message into an event, or handles it if the machine need not know it.
  ///
  /// Fetches outputs that an answer names here, without the lock.
  private mutating func receive(
    _ message: consuming WorkerMessage,
    from connection: WorkerConnection
  ) {
    if connection.capabilities.isLeased { connection.link?.noteTaken(message.windowCost) }
    switch consume message {
    case .executing(let reference, let process):
      connection.executing = reference
      connection.group = process?.group
      if connection.offersOutbox {
        connection.closeOutboxFile()
        if connection.hasProvedPlace { turnEvents.append(.worker(.proved(connection.id))) }
      }
      connection.forgetRequests(before: reference)
      turnEvents.append(.reported(connection.id, reference, .executing(group: process?.group)))
      if let fault = chaos?.nextFault() { connection.inject(fault) }
    case .finished(let reference, let answer):
      receive(reference, answer, isCancelled: false, step: nil, from: connection)
    case .cancelled(let reference, let answer, let step):
      receive(reference, answer, isCancelled: true, step: step, from: connection)
    case .returned(let reference):
      connection.noteAnswer()
      turnEvents.append(.reported(connection.id, reference, .returned))
    case .progress(let reference, let progress):
      noteRemark(of: connection)
      turnEvents.append(
        .reported(connection.id, reference, .remarked(turn.keep(.progress(progress))))
      )
    case .log(let reference, let log):
      noteRemark(of: connection)
      turnEvents.append(.reported(connection.id, reference, .remarked(turn.keep(.log(log)))))
    case .output(let reference, let chunk):
      connection.demandGreeting(before: "output")
      receive(chunk, of: reference, from: connection)
    case .printed(let reference):
      connection.demandGreeting(before: "printed")
      receivePrinted(reference, from: connection)
    case .written(let reference, let outputs):
      connection.demandGreeting(before: "written")
      receive(outputs, of: reference, from: connection)
    case .hello(let hello) where hello.isRelay && !connection.hasGreeted:
      // Later, because its frames are being read.
      engine.post(.relayGreeted(connection.id, hello))
    case .hello(var hello):
      connection.hasGreeted = true
      // Blocks cannot leave this process, even if a program claims to serve them.
      hello.kinds.removeAll { BlockWorker.hello.kinds.contains($0) }
      connection.note(hello)
      turnEvents.append(rare: .greeted(connection, hello))
    case .unknown(let type):
      connection.demandGreeting(before: type)
      if connection.hasGreeted { fleetEvents.append(.unknownMessage(connection.id, type)) }
    case .pong(let number):
      connection.demandGreeting(before: "pong")
      receive(answerToPing: number, from: connection)
    case .renew(let number):
      connection.demandGreeting(before: "renew")
      renew(number, of: connection)
    }
  }

  /// Keeps a piece of the executing operation's output, or passes it on; drops that of any other.
  private mutating func receive(
    _ chunk: OutputChunk,
    of reference: DispatchReference,
    from connection: WorkerConnection
  ) {
    // Whatever becomes of it, it has taken of the worker's window.
    if connection.capabilities.isLeased { noteRemark(of: connection) }
    guard connection.executing == reference else { return }
    let use = client.useOfOutput(of: reference.operation)
    connection.collect(chunk, isKept: use.isNeededLater)
    guard use.isTakenNow else { return }
    noteRemark(of: connection)
    turnEvents.append(.reported(connection.id, reference, .remarked(turn.keep(.output(chunk)))))
  }

  private mutating func receive(
    _ reference: DispatchReference,
    _ answer: consuming Answer,
    isCancelled: Bool,
    step: String?,
    from connection: WorkerConnection
  ) {
    connection.noteAnswer()
    let printed =
      connection.mayHavePrinted ? endPrinting(of: reference, by: connection) : nil
    let report = connection.report(
      reference,
      answer,
      isCancelled: isCancelled,
      step: step,
      printed: printed,
      limits: { client.outputLimits(of: reference.operation) }
    )
    // A false answer does not count: the operation is lost with its worker.
    guard !connection.hasLied else { return }
    let hasFailed = report.failureCause != nil
    let isLate = hasFailed && report.failureCause == .timeout
    let ending =
      isCancelled ? PoolEnding.cancelled : isLate ? .timedOut : hasFailed ? .failed : .succeeded
    let said = turn.report(report.isLost ? .lost : ending, report)
    turnEvents.append(.reported(connection.id, reference, said))
    if connection.measuresMemory, let bytes = connection.measureMemory(at: engine.now.nanoseconds) {
      turnEvents.append(.worker(.memoryMeasured(connection.id, bytes: bytes)))
    }
    // A `release` must be sent, even if the worker gets nothing more.
    if connection.hasPending { enlist(connection) }
  }

  private mutating func receiveErrorOutput(_ connection: WorkerConnection) {
    guard case .bytes(let count) = readError(of: connection) else { return }
    noteRemark(of: connection)
    hearText(count, of: connection)
  }

  /// Reads what is left in the pipes of a worker that has ended, and disconnects it.
  mutating func reap(_ connection: WorkerConnection, _ status: PoolExitStatus) {
    // A grandchild may hold a pipe open and write forever.
    let lastReads = client.takesRemarks ? Self.lastReads : Self.lastUnreadReads
    for _ in 0..<lastReads {
      let transfer = connection.receive(with: buffer) { receive($0, from: connection) }
      guard case .bytes = transfer else { break }
    }
    connection.receiveUnsent { receive($0, from: connection) }
    if engine.system.adoptsOrphans(), let orphans = connection.takeOrphans(status) {
      // Its end is posted again when all its processes are gone, unless the spawner is stuck.
      poller.forget(key: Key.output(connection.id))
      awaitOrphans(of: connection.id)
      return spawner.end(orphans) { [engine, id = connection.id] in
        engine.post(.ended(id, status))
      }
    }
    for _ in 0..<lastReads {
      guard case .bytes(let count) = readError(of: connection) else { break }
      hearText(count, of: connection)
    }
    endPrinting(by: connection)
    disconnect(connection)
    turnEvents.append(
      rare: .ended(connection, status, lackedMemory: lackedMemory(connection, status))
    )
  }

  /// Whether a SIGKILL that the pool did not send is the out-of-memory killer's: the system counts
  /// those.
  private mutating func lackedMemory(_ connection: WorkerConnection, _ status: PoolExitStatus)
    -> Bool
  {
    guard status == .signaled(9), connection.signals.reason == nil else { return false }
    return memoryKills.explain(engine.system.memoryKillCount(), at: engine.now)
  }

  /// Maximum number of reads from a dead worker's pipes: 256 MiB of messages, and 64 MiB of text.
  private static let lastReads = 1_024

  /// The same while the client accepts no remarks: 4 MiB and 1 MiB, more than a pipe holds.
  private static let lastUnreadReads = 16

  private mutating func connect(_ id: WorkerID, _ started: StartedWorker) {
    guard let spawning = spawning.removeValue(forKey: id), let process = started.take() else {
      return
    }
    let connection = WorkerConnection(
      id,
      spawning.configuration,
      process,
      in: spawning.place,
      dividesText: client.takesLines
    )
    connection.measuresMemory = spawning.measuresMemory
    connections[id] = connection
    watch(connection)
    if spawning.isRetired {
      connection.retire()
      enlist(connection)
    }
  }

  private mutating func disconnect(_ connection: WorkerConnection) {
    connections[connection.id] = nil
    missing[connection.id] = nil
    unread.remove(connection.id)
    departed.append(connection)
    unwatch(connection)
  }

  /// Reads what a worker says and prints.
  mutating func watch(_ connection: WorkerConnection) {
    let channel = connection.channel
    poller.watch(channel.output, for: .readable, key: Key.output(connection.id))
    poller.watch(channel.error, for: .readable, key: Key.error(connection.id))
  }

  /// Watches none of a worker's streams any more.
  mutating func unwatch(_ connection: WorkerConnection) {
    for key in [Key.output(connection.id), Key.input(connection.id), Key.error(connection.id)] {
      poller.forget(key: key)
    }
  }
}

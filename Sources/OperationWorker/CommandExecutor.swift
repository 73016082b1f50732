import PoolModel
import PoolSystem
import PoolWire

/// Executes operations of the kind `command`: one child process each.
final class CommandExecutor: Sendable {
  /// What every command inherits.
  private let environment: ProcessEnvironment
  /// The standard worker, which alone serves commands, changes no signal's effect later.
  private let launcher = Monitor(CommandLauncher(changesSignals: false))
  private let cache = CommandFileCache()

  /// How long what a command has left may take to end once it was killed: half a second, which is
  /// well before anybody loses patience with this worker.
  private static let orphansEnd = Int64.milliseconds(500)

  init(environment: ProcessEnvironment) {
    var environment = environment
    environment.remove(PoolWorker.variable)
    self.environment = environment
  }

  /// Executes the command and waits for its end.
  func execute(_ operation: Execute, in session: WorkerSession) -> WorkerMessage {
    var wait = ShortageWait()
    while true {
      do throws(Shortage) {
        return try attempt(operation, in: session)
      } catch {
        wait.pause(after: error, of: operation.reference, in: session)
      }
    }
  }

  /// Executes the command; throws only where it has not begun, for want of something.
  private func attempt(
    _ operation: Execute,
    in session: WorkerSession
  ) throws(Shortage) -> WorkerMessage {
    let reference = operation.reference
    do {
      let payload = try Self.payload(of: operation)
      guard !session.isCancelled(reference.dispatch) else {
        return .cancelled(reference, Answer(), step: nil)
      }
      // From here on, the end of the input waits until there is something that it can stop.
      session.prepareSpawn()
      defer { session.abandonSpawn() }
      let inputs = try Shortage.noticed { try CommandInputs(operation.surroundings?.inputs ?? []) }
      defer { inputs.remove() }
      return try execute(payload, inputs, operation.qualityOfService, reference, session)
    } catch let error as PayloadError {
      let failure = Failure(cause: .error, message: error.message)
      return .finished(reference, Answer(failure: failure))
    } catch let error as Shortage {
      throw error
    } catch {
      let failure = Failure(cause: .spawn, message: "\(error)")
      return .finished(reference, Answer(failure: failure))
    }
  }

  private func execute(
    _ payload: CommandPayload,
    _ inputs: CommandInputs,
    _ quality: PoolQualityOfService,
    _ reference: DispatchReference,
    _ session: WorkerSession
  ) throws -> WorkerMessage {
    let files = try Shortage.noticed { try cache.files(input: payload.standardInput) }
    session.subreaper?.beginAdopting()
    let process: CommandProcess
    do {
      process = try Shortage.noticed {
        try start(description(of: payload, inputs, files, quality))
      }
    } catch {
      session.subreaper?.endAdopting()
      cache.takeBack(files)
      throw error
    }
    let walk = TeardownWalk(process)
    session.register(stopHandle(process, walk, inputs, session), for: reference)
    let group = ProcessGroup(pid: process.identifier, group: process.identifier)
    session.output.announce(group, of: reference)
    session.subreaper?.reap(untilEndOf: process)
    process.waitForEnd()
    return try conclude(process, walk, files, reference, session)
  }

  private func start(_ command: CommandDescription) throws(SpawnFailure) -> CommandProcess {
    try GroupGuard.spawn { () throws(SpawnFailure) in
      try launcher.withLock { launcher throws(SpawnFailure) in try launcher.start(command) }
    }
  }

  private func stopHandle(
    _ process: CommandProcess,
    _ walk: TeardownWalk,
    _ inputs: CommandInputs,
    _ session: WorkerSession
  ) -> StopHandle {
    StopHandle(
      ask: walk.begin,
      kill: {
        process.send(.kill)
        // Until it has ended, not all that it started need be an orphan.
        if let subreaper = session.subreaper,
          process.waitForEnd(until: MonotonicClock.now + Self.orphansEnd)
        {
          subreaper.kill(within: Self.orphansEnd, sparing: process)
        }
        inputs.remove()
      }
    )
  }

  /// Takes the status of a command that has ended, and its outputs.
  private func conclude(
    _ process: CommandProcess,
    _ walk: TeardownWalk,
    _ files: CommandFiles,
    _ reference: DispatchReference,
    _ session: WorkerSession
  ) throws -> WorkerMessage {
    let taken = walk.finish()
    // What the command started ends with it where it was made to end, and lives on otherwise.
    let isLeft = session.inbox.withLock { $0.hasEnded }
    let wasEnded = !taken.isEmpty || isLeft
    if wasEnded { process.send(.kill) }
    // From here on its number may be another's.
    if wasEnded { GroupGuard.noteReaped() } else { GroupGuard.release() }
    let ending = Result { () throws(SystemFailure) in try process.reap() }
    if wasEnded { session.subreaper?.kill(within: Self.orphansEnd) }
    // Nobody is to be answered any more: who noticed that ends this process.
    if isLeft { session.inbox.wait(while: { _ in true }, then: { _ in }) }
    GroupGuard.release()
    let isAlone = session.subreaper?.endAdopting() ?? false
    let (status, usage) = try ending.get()
    let delivery = OutputDelivery(
      reference: reference,
      session: session,
      cache: cache,
      isAlone: isAlone
    )
    let answer = delivery.answer(
      files,
      failure: Failure(status),
      usage: usage,
      stepsTaken: taken.map { $0.step(since: session.cancelledAt) }
    )
    guard let last = taken.last else { return .finished(reference, answer) }
    return .cancelled(reference, answer, step: last.signal.description)
  }
}

// MARK: - Translation

extension CommandExecutor {
  private static func payload(of operation: Execute) throws -> CommandPayload {
    do {
      return try operation.payload.withUnsafeBytes { bytes in try CommandPayload(json: bytes) }
    } catch {
      throw PayloadError(message: "the payload is no command: \(error)")
    }
  }

  private func description(
    of payload: CommandPayload,
    _ inputs: CommandInputs,
    _ files: CommandFiles,
    _ quality: PoolQualityOfService
  ) -> CommandDescription {
    var environment = environment
    for variable in payload.environment + inputs.variables {
      environment.set(variable.name, to: variable.value)
    }
    return CommandDescription(
      arguments: payload.action.arguments,
      directory: payload.directory,
      environment: environment,
      standardInput: files.input,
      standardOutput: files.output,
      standardError: files.error,
      // For a worker that dies together with its guardian.
      deathSignal: .kill,
      qualityOfService: quality,
      nice: payload.nice
    )
  }
}

extension CommandPayload.Action {
  /// The program and its arguments.
  fileprivate var arguments: [[UInt8]] {
    switch self {
    case .run(let arguments): arguments
    case .shell(let line): [Array("/bin/sh".utf8), Array("-c".utf8), line]
    }
  }
}

extension Failure {
  /// The failure that a status stands for; nil for success.
  fileprivate init?(_ status: PoolExitStatus) {
    switch status {
    case .exited(0):
      return nil
    case .exited(let code):
      self.init(cause: .exit, message: status.description, code: code)
    case .signaled(let number):
      let name = ProcessSignal(number).description
      let known = name.hasPrefix("SIG") ? "\(status) (\(name))" : status.description
      self.init(cause: .signal, message: known, code: number)
    }
  }
}

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
  /// well before the coordinator kills this worker.
  private static let orphansEnd = Int64.milliseconds(500)

  init(environment: ProcessEnvironment) {
    var environment = environment
    environment.remove(PoolWorker.variable)
    self.environment = environment
  }

  /// Executes the command and waits for its end.
  func execute(_ operation: Execute, in connection: WorkerConnection) -> WorkerMessage {
    var wait = ShortageWait()
    while true {
      do throws(Shortage) {
        return try attempt(operation, in: connection)
      } catch {
        wait.pause(after: error, of: operation.reference, in: connection)
      }
    }
  }

  /// Executes the command; throws only where it has not begun, for want of something.
  private func attempt(
    _ operation: Execute,
    in connection: WorkerConnection
  ) throws(Shortage) -> WorkerMessage {
    let reference = operation.reference
    do {
      let payload = try Self.payload(of: operation)
      guard !connection.isCancelled(reference.dispatch) else {
        return .cancelled(reference, Answer(), step: nil)
      }
      // From here on, the end of the input waits until there is something that it can stop.
      connection.prepareSpawn()
      defer { connection.abandonSpawn() }
      let inputs = try Shortage.noticed { try CommandInputs(operation.surroundings?.inputs ?? []) }
      defer { inputs.remove() }
      return try execute(payload, inputs, operation.qualityOfService, reference, connection)
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
    _ connection: WorkerConnection
  ) throws -> WorkerMessage {
    let files = try Shortage.noticed { try cache.files(input: payload.standardInput) }
    connection.subreaper?.beginAdopting()
    let process: CommandProcess
    do {
      process = try Shortage.noticed {
        try start(description(of: payload, inputs, files, quality))
      }
    } catch {
      connection.subreaper?.endAdopting()
      cache.takeBack(files)
      throw error
    }
    let teardown = CommandTeardown(process)
    connection.register(stopHandle(process, teardown, inputs, connection), for: reference)
    let group = ProcessGroup(pid: process.identifier, group: process.identifier)
    connection.announce(group, of: reference)
    connection.subreaper?.reap(untilEndOf: process)
    process.waitForEnd()
    return try conclude(process, teardown, files, reference, connection)
  }

  private func start(_ command: CommandDescription) throws(SpawnFailure) -> CommandProcess {
    try GroupGuard.spawn { () throws(SpawnFailure) in
      try launcher.withLock { launcher throws(SpawnFailure) in try launcher.start(command) }
    }
  }

  private func stopHandle(
    _ process: CommandProcess,
    _ teardown: CommandTeardown,
    _ inputs: CommandInputs,
    _ connection: WorkerConnection
  ) -> StopHandle {
    StopHandle(
      ask: teardown.begin,
      kill: {
        process.send(.kill)
        // Until it has ended, not all that it started need be an orphan.
        if let subreaper = connection.subreaper,
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
    _ teardown: CommandTeardown,
    _ files: CommandFiles,
    _ reference: DispatchReference,
    _ connection: WorkerConnection
  ) throws -> WorkerMessage {
    let taken = teardown.finish()
    // What the command started ends with it where it was made to end, and lives on otherwise.
    let isInputEnded = connection.isInputEnded
    let wasEnded = !taken.isEmpty || isInputEnded
    if wasEnded { process.send(.kill) }
    // From here on its number may be another's.
    if wasEnded { GroupGuard.noteReaped() } else { GroupGuard.release() }
    let ending = Result { () throws(SystemFailure) in try process.reap() }
    if wasEnded { connection.subreaper?.kill(within: Self.orphansEnd) }
    if isInputEnded { connection.waitForExit() }
    GroupGuard.release()
    let isAlone = connection.subreaper?.endAdopting() ?? false
    let (status, usage) = try ending.get()
    let delivery = OutputDelivery(
      reference: reference,
      connection: connection,
      cache: cache,
      isAlone: isAlone
    )
    let answer = delivery.answer(
      files,
      failure: Failure(status),
      usage: usage,
      stepsTaken: taken.map { $0.step(since: connection.cancelledAt ?? $0.at) }
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

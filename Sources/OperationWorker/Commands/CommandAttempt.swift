import PoolModel
import PoolSystem
import PoolWire

/// One attempt to execute a command: starts its process, waits for its end, and makes the answer.
///
/// A class, because as a value it would be copied for each closure.
final class CommandAttempt {
  private let operation: Execute
  private let connection: CoordinatorConnection
  private let executor: CommandExecutor

  /// The monotonic time at which the execution has begun.
  private var start: Int64 = 0

  private var reference: DispatchReference { operation.reference }

  /// Microseconds since then.
  private var elapsed: Int64 { (MonotonicClock.now - start) / 1_000 }

  /// A command that was started.
  private struct Command {
    let process: CommandProcess
    let files: CommandFiles
    let teardown: CommandTeardown
  }

  /// Nanoseconds that killed orphans may take to end: half a second, well before the coordinator
  /// would kill this worker.
  private static let orphansEnd = Int64.milliseconds(500)

  init(of operation: Execute, in connection: CoordinatorConnection, by executor: CommandExecutor) {
    self.operation = operation
    self.connection = connection
    self.executor = executor
  }

  /// Executes the command; throws only if it has not begun, because the system lacks something.
  func execute() throws(Shortage) -> WorkerMessage {
    let failure: Failure
    start = MonotonicClock.now
    do {
      let payload = try payload()
      guard !connection.isCancelled(reference.dispatch) else {
        return .cancelled(reference, Answer(), step: nil)
      }
      // Prefetched: nothing begins without a coordinator, though its pipes may still be open.
      if Guardian.sawCoordinatorEnd { connection.waitForExit() }
      // From here on, the end of the input waits until there is a process to stop.
      connection.prepareSpawn()
      defer { connection.abandonSpawn() }
      let inputs = try Shortage.noticed { try CommandInputs(operation.surroundings?.inputs ?? []) }
      defer { inputs.remove() }
      return try execute(payload, inputs)
    } catch let shortage as Shortage {
      throw shortage
    } catch let error as PayloadError {
      failure = Failure(cause: .error, message: error.message)
    } catch {
      failure = Failure(cause: .spawn, message: "\(error)")
    }
    return .finished(reference, Answer(failure: failure, elapsed: elapsed))
  }

  private func execute(
    _ payload: CommandPayload,
    _ inputs: CommandInputs
  ) throws -> WorkerMessage {
    let command = try start(payload, inputs)
    let process = command.process
    connection.register(cancelHandle(of: command, inputs), for: reference)
    let group = ProcessGroup(pid: process.identifier, group: process.identifier)
    connection.announce(group, of: reference)
    if let limit = operation.surroundings?.timeLimit { command.teardown.end(after: limit) }
    waitForEnd(of: command)
    return try conclude(command)
  }

  private func waitForEnd(of command: Command) {
    let reapsOrphans = connection.subreaper != nil
    if case .gathered(_, _, let gatherer) = command.files.outputs {
      gatherer.wait(
        for: command.process,
        reapingOrphans: reapsOrphans,
        stopped: noteStop,
        closed: command.teardown.endAfterClosing
      )
    } else {
      command.process.waitForEnd(reapingOrphans: reapsOrphans, stopped: noteStop)
    }
  }

  /// Explains why the command does not go on if it has asked for the terminal.
  ///
  /// It is not in the terminal's foreground group, so the system stops it.
  private func noteStop(by signal: ProcessSignal) {
    guard signal == .terminalInput || signal == .terminalOutput else { return }
    let message = "is stopped: it wants the terminal, which no operation has"
    connection.report(.log(reference, Log(message: message)), of: reference)
  }

  private func start(_ payload: CommandPayload, _ inputs: CommandInputs) throws -> Command {
    let files = try Shortage.noticed {
      try executor.files.files(
        input: payload.standardInput,
        widens: connection.mayWidenPipes,
        outputs: outputs
      )
    }
    connection.forgetPeakOfLargeFrame()
    connection.subreaper?.beginAdopting()
    do {
      let redirection = try Shortage.noticed {
        try CommandRedirection(to: payload.outputFiles, in: payload.directory)
      }
      defer { redirection.close() }
      let description = description(of: payload, inputs, files, redirection)
      let process = try Shortage.noticed { try executor.start(description) }
      // The command has its own descriptors; these would keep its pipes open after it.
      files.input.close()
      files.outputs.closeWriteEnds()
      return Command(process: process, files: files, teardown: CommandTeardown(process))
    } catch {
      connection.subreaper?.endAdopting()
      files.input.close()
      files.outputs.discard()
      throw error
    }
  }

  /// The destinations of the command's outputs, as requested by the coordinator.
  private func outputs() throws(SystemFailure) -> CommandOutputs {
    switch operation.surroundings?.outputs ?? .kept {
    case .kept:
      let gatherer = try executor.gatherer(in: connection)
      let ends = try gatherer.begin(operation.surroundings?.limits)
      return .gathered(output: ends.output, error: ends.error, by: gatherer)
    case .live: break
    case .direct: if let streams = connection.welcome?.streams { return .streams(streams) }
    }
    return .pipes(try executor.reader.begin(reference, in: connection))
  }

  private func cancelHandle(of command: Command, _ inputs: CommandInputs) -> CancelHandle {
    CancelHandle(
      ask: command.teardown.begin,
      kill: { [subreaper = connection.subreaper, process = command.process] in
        process.send(.kill)
        // Before the command has ended, its descendants need not be orphans.
        if let subreaper, process.waitForEnd(until: MonotonicClock.now + Self.orphansEnd) {
          subreaper.kill(within: Self.orphansEnd, sparing: process)
        }
        inputs.remove()
      }
    )
  }

  /// Behind a link, a signal may have been sent to the command and this worker alike, as when a job
  /// is cancelled: then this worker ends here, and does not call it the command's failure.
  private func awaitOwnEnd() {
    MonotonicClock.sleep(nanoseconds: Self.ownEnd)
  }

  /// For how long the end of this worker may follow that of its command: 100 ms.
  private static let ownEnd = Int64.milliseconds(100)

  /// Reaps a command that has ended, and takes its outputs.
  private func conclude(_ command: Command) throws -> WorkerMessage {
    let (taken, wasTornDown, isLate) = command.teardown.finish()
    let ending = reap(command.process, wasTornDown: wasTornDown)
    let delivery = OutputDelivery(reference: reference, connection: connection, executor: executor)
    let outputs = delivery.deliver(command.files.outputs)
    GroupCleanup.release()
    connection.subreaper?.endAdopting()
    let (status, usage) = try ending.get()
    if taken.isEmpty, status.mayBeFromOutside, connection.isBehindLink { awaitOwnEnd() }
    let obstacles = [command.files.input.writer?.failure].compactMap(\.self) + outputs.obstacles
    let excesses = operation.surroundings?.limits?.excesses(
      output: outputs.written.output ?? 0,
      error: outputs.written.error ?? 0
    )
    let answer = Answer(
      failure: isLate
        ? .late(status) : .overLimit(.joining(Failure(status), obstacles), excesses ?? []),
      usage: usage,
      elapsed: elapsed,
      standardOutput: outputs.output,
      standardError: outputs.error,
      written: outputs.written,
      stepsTaken: taken.map { $0.step(since: connection.cancelledAt ?? $0.at) }
    )
    guard let last = taken.last, !isLate else { return .finished(reference, answer) }
    return .cancelled(reference, answer, step: last.signal.description)
  }

  /// Returns the process's status.
  ///
  /// Descendants of a command that was told to end are killed. Others live on, but end with this
  /// process until the outputs are taken.
  private func reap(
    _ process: CommandProcess,
    wasTornDown: Bool
  ) -> Result<(PoolExitStatus, PoolResourceUsage), SystemFailure> {
    let isInputEnded = connection.isInputEnded
    let endsAll = wasTornDown || isInputEnded
    if endsAll { process.send(.kill) }
    // From here on, another process may get its number.
    GroupCleanup.noteReaped()
    let ending = Result { () throws(SystemFailure) in try process.reap() }
    if endsAll { connection.subreaper?.kill(within: Self.orphansEnd) }
    if isInputEnded { connection.waitForExit() }
    return ending
  }
}

// MARK: - Translation

extension CommandAttempt {
  private func payload() throws -> CommandPayload {
    do {
      let json = try PackedValue.json(operation.payload)
      return try json.withUnsafeBytes { bytes in try CommandPayload(json: bytes) }
    } catch {
      throw PayloadError(message: "the payload is no command: \(error)")
    }
  }

  private func description(
    of payload: CommandPayload,
    _ inputs: CommandInputs,
    _ files: CommandFiles,
    _ redirection: CommandRedirection
  ) -> CommandDescription {
    let variables = operation.surroundings?.variables ?? .none
    var environment = executor.environment(ofAttempt: operation.attempt, variables, in: connection)
    let own = payload.environment + inputs.variables
    if !own.isEmpty { environment.set(own.lazy.map { ($0.name, $0.value) }) }
    return CommandDescription(
      arguments: payload.action.arguments,
      directory: payload.directory,
      environment: environment,
      standardInput: files.input.descriptor,
      standardOutput: redirection.output ?? files.outputs.output,
      standardError: redirection.error ?? files.outputs.error,
      // For a worker that dies together with its guardian.
      deathSignal: .kill,
      qualityOfService: operation.qualityOfService,
      nice: payload.nice
    )
  }
}

extension PoolExitStatus {
  /// Whether a signal has ended the command, or, as its shell says, a part of it.
  fileprivate var mayBeFromOutside: Bool {
    switch self {
    case .signaled: true
    case .exited(let code): code > 128
    }
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
  /// That of a command whose time was over; with the signal that ended it, if one did.
  fileprivate static func late(_ status: PoolExitStatus) -> Self {
    guard case .signaled(let number) = status else { return Self(cause: .timeout, message: "") }
    return Self(cause: .timeout, message: "", code: number)
  }

  /// The failure for a status; nil for success.
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

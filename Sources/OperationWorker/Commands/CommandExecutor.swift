import PoolModel
import PoolSystem
import PoolWire

/// Executes operations of the kind `command`: one child process each.
final class CommandExecutor: Sendable {
  private let environment: ProcessEnvironment
  /// The environment of all commands of a worker, which most differ from in a few variables.
  private let workerEnvironment = Monitor<(WorkerPlace, ProcessEnvironment)?>(nil)
  let files = CommandFileCache()
  let reader = LiveOutputReader()
  /// Only the standard worker serves commands, and it changes no signal's effect later.
  private let launcher = Monitor(CommandLauncher(changesSignals: false))

  init(environment: ProcessEnvironment) {
    var environment = environment
    environment.remove(PoolWorker.variable)
    // Those of a command that started opool itself.
    for variable in ExecutionVariable.allCases { environment.remove(variable.rawValue) }
    self.environment = environment
  }

  /// The environment of every command of a worker.
  func environment(in connection: CoordinatorConnection) -> ProcessEnvironment {
    guard let place = connection.place else { return environment }
    return workerEnvironment.withLock { known in
      if let known, known.0 == place { return known.1 }
      var environment = environment
      for variable in place.variables { environment.append(variable.name, variable.value) }
      known = (place, environment)
      return environment
    }
  }

  /// Executes the command and waits for its end.
  func execute(_ operation: Execute, in connection: CoordinatorConnection) -> WorkerMessage {
    let attempt = CommandAttempt(of: operation, in: connection, by: self)
    var wait = ShortageWait()
    while true {
      do throws(Shortage) {
        return try attempt.execute()
      } catch {
        wait.pause(after: error, of: operation.reference, in: connection)
      }
    }
  }

  /// Starts a command's process.
  func start(_ command: CommandDescription) throws(SpawnFailure) -> CommandProcess {
    try GroupCleanup.spawn { () throws(SpawnFailure) in
      try launcher.withLock { launcher throws(SpawnFailure) in try launcher.start(command) }
    }
  }
}

extension WorkerPlace {
  /// What the environment of all commands says of their worker.
  fileprivate var variables: [CommandPayload.Variable] {
    let worker = [ExecutionVariable.worker.with(worker.rawValue)]
    guard let slot else { return worker }
    return worker
      + [.slot, .jobSlot].map { (variable: ExecutionVariable) in variable.with(slot) }
  }
}

import PoolModel
import PoolSystem
import PoolWire

/// Executes operations of the kind `command`: one child process each.
final class CommandExecutor: Sendable {
  private let environment: ProcessEnvironment
  /// The environment of the last command without the variables of its own operation: most commands
  /// have the same, because they are first attempts.
  private let common = Monitor<(WorkerPlace?, attempt: Int, ProcessEnvironment)?>(nil)
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

  /// The environment of every command of a worker in the attempt of that number.
  func environment(
    ofAttempt attempt: Int,
    in connection: CoordinatorConnection
  ) -> ProcessEnvironment {
    let place = connection.place
    return common.withLock { known in
      if let known, known.0 == place, known.attempt == attempt { return known.2 }
      var environment = environment
      environment.set(
        ((place?.variables ?? []) + [(.attempt, attempt)]).map { variable, number in
          (Array(variable.rawValue.utf8), Array("\(number)".utf8))
        }
      )
      known = (place, attempt, environment)
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
  fileprivate var variables: [(ExecutionVariable, Int)] {
    let slots = slot.map { [(ExecutionVariable.slot, $0), (.jobSlot, $0)] }
    return [(.worker, Int(worker.rawValue))] + (slots ?? [])
  }
}

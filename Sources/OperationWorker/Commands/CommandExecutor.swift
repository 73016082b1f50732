import PoolModel
import PoolSystem
import PoolWire

/// Executes operations of the kind `command`: one child process each.
final class CommandExecutor: Sendable {
  /// The environment of every command.
  let environment: ProcessEnvironment
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

  /// Executes the command and waits for its end.
  func execute(_ operation: Execute, in connection: WorkerConnection) -> WorkerMessage {
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

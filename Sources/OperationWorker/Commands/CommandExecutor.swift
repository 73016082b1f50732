import PoolModel
import PoolSystem
import PoolWire
import Synchronization

/// Executes operations of the kind `command`: one child process each.
final class CommandExecutor: Sendable {
  private let environment: ProcessEnvironment
  /// The environment of the last command, of which most have the same first part, because they are
  /// first attempts.
  private let last: Mutex<LastEnvironment>
  let files = CommandFileCache()
  let reader = LiveOutputReader()
  let lateOutputs = LateOutputs()
  /// Made with the first command, on the thread that executes them all.
  private let knownGatherer = Monitor<OutputGatherer?>(nil)
  /// Only the standard worker serves commands, and it changes no signal's effect later.
  private let launcher = Monitor(CommandLauncher(changesSignals: false))

  init(environment: ProcessEnvironment) {
    var environment = environment
    environment.remove(WorkerVariable.name)
    // Those of a command that started opool itself.
    for variable in ExecutionVariable.allCases { environment.remove(variable.rawValue) }
    self.environment = environment
    last = Mutex(LastEnvironment(nil, 1, environment))
  }

  /// The environment of a command in the attempt of that number, with what describes its operation.
  func environment(
    ofAttempt attempt: Int,
    _ variables: ExecutionVariables,
    in connection: CoordinatorConnection
  ) -> ProcessEnvironment {
    let place = connection.place
    var environment = last.withLock { last in
      if last.place != place || last.attempt != attempt {
        last = LastEnvironment(place, attempt, self.environment)
      }
      return last.next(variables)
    }
    if !variables.areUsual { environment.set(variables.list.map { ($0.name, $0.value) }) }
    return environment
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

  /// What gathers the outputs of commands; blocks SIGCHLD in the calling thread.
  func gatherer(in connection: CoordinatorConnection) throws(SystemFailure) -> OutputGatherer {
    if let gatherer = knownGatherer.withLock({ $0 }) { return gatherer }
    let new = try OutputGatherer(widens: connection.mayWidenPipes)
    knownGatherer.withLock { $0 = new }
    connection.answerTails(with: new)
    return new
  }

  /// Starts a command's process.
  func start(_ command: CommandDescription) throws(SpawnFailure) -> CommandProcess {
    try GroupCleanup.spawn { () throws(SpawnFailure) in
      try launcher.withLock { launcher throws(SpawnFailure) in try launcher.start(command) }
    }
  }
}

extension CoordinatorConnection {
  /// Whether pipes of this worker's commands may be widened.
  var mayWidenPipes: Bool { SystemIO.mayWidenPipes(ofSlot: place?.slot ?? 0) }
}

/// The environment of a command, whose memory the next one uses again.
private struct LastEnvironment {
  let place: WorkerPlace?
  let attempt: Int
  private var environment: ProcessEnvironment
  /// Number of variables that all commands of the place have in this attempt.
  private let commonCount: Int

  init(_ place: WorkerPlace?, _ attempt: Int, _ environment: ProcessEnvironment) {
    (self.place, self.attempt, self.environment) = (place, attempt, environment)
    self.environment.set(
      ((place?.variables ?? []) + [(.attempt, attempt)]).map { variable, number in
        (Array(variable.rawValue.utf8), Array("\(number)".utf8))
      }
    )
    commonCount = self.environment.count
  }

  /// The environment of the next command; without variables that may be among the common ones.
  mutating func next(_ variables: ExecutionVariables) -> ProcessEnvironment {
    environment.keep(first: commonCount)
    if variables.areUsual { variables.visit { environment.append($0, $1) } }
    return environment
  }
}

extension WorkerPlace {
  /// What the environment of all commands says of their worker.
  fileprivate var variables: [(ExecutionVariable, Int)] {
    let slots = slot.map { [(ExecutionVariable.slot, $0), (.jobSlot, $0)] }
    return [(.worker, Int(worker.rawValue))] + (slots ?? [])
  }
}

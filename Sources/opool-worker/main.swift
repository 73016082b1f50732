import OperationWorker
import PoolModel
import PoolSystem

/// Ends with a line for people.
func fail(_ code: Int32, _ message: String) -> Never {
  CurrentProcess.complain("opool-worker: \(message)")
  CurrentProcess.exit(code)
}

/// Does what the arguments ask for.
func main() {
  switch WorkerArguments(CurrentProcess.arguments) {
  case .serve(let journal, let passed):
    if Descriptors.isTerminal(0) {
      fail(2, "started by opool, not by hand\n\(WorkerArguments.helpText)")
    }
    do {
      try PoolWorker.serveCommands(for: journal, passing: passed)
    } catch {
      fail(error.isShortage ? PoolExitStatus.shortageCode : 70, error.message)
    }
  case .relay(let slots, let command):
    do {
      try Relay.serve(slots: slots, command: command)
    } catch {
      fail(error.isShortage ? PoolExitStatus.shortageCode : 70, error.message)
    }
  case .launch(let command, let parent, let journal):
    do {
      CurrentProcess.end(as: try ForeignLauncher.run(command, parent: parent, journal: journal))
    } catch {
      if error.isShortage { fail(PoolExitStatus.shortageCode, "\(error)") }
      fail(error.isMissing ? 127 : 126, "\(error)")
    }
  case .help:
    print(WorkerArguments.helpText)
  case .version:
    print(WorkerArguments.versionText)
  case .wrong(let reason):
    fail(2, "\(reason)\n\(WorkerArguments.helpText)")
  }
}

CurrentProcess.withLargeStack(main)

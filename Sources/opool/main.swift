import PoolCommand
import PoolInputs
import PoolModel
import PoolSystem

CurrentProcess.withLargeStack {
  Adoption.begin()
  let code = OpoolCommand.run(arguments: CurrentProcess.arguments)
  // A shell ends its loop, or its script, only where the signal has ended the program, too.
  if code == ExitCode.interrupted.rawValue {
    CurrentProcess.end(as: .signaled(ProcessSignal.interrupt.number))
  }
  CurrentProcess.exit(code)
}

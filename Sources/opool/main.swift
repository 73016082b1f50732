import PoolCommand
import PoolSystem

CurrentProcess.withLargeStack {
  CurrentProcess.exit(OpoolCommand.run(arguments: CurrentProcess.arguments))
}

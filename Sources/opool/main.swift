import PoolCommand
import PoolSystem

CurrentProcess.withLargeStack {
  Adoption.begin()
  CurrentProcess.exit(OpoolCommand.run(arguments: CurrentProcess.arguments))
}

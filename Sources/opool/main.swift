import PoolCommand
import PoolSystem

CurrentProcess.exit(OpoolCommand.run(arguments: CurrentProcess.arguments))

import PoolCore
import PoolSystem

extension WorkerConnection {
  /// Injects a fault into the worker.
  func inject(_ fault: Chaos.Fault) {
    switch fault {
    case .kill: signals.send(ProcessSignal.kill.number)
    // Not its group: a command that the worker is starting is still in the group and would be
    // stopped, too. The worker would wait for that command, while its other thread goes on
    // answering.
    case .stop: ProcessSignal.stop.send(toProcess: signals.worker)
    case .garble: isGarbled = true
    }
  }
}

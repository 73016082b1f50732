import PoolCore
import PoolSystem

extension WorkerConnection {
  /// A fault that is made on purpose befalls the worker.
  func inject(_ fault: Chaos.Fault) {
    switch fault {
    case .kill: signals.send(ProcessSignal.kill.number)
    // Not its group: a command that it is just starting is still a member, and would be stopped
    // before it is one. The worker waits for that, while its other thread goes on to answer.
    case .stop: ProcessSignal.stop.send(toProcess: signals.worker)
    case .garble: isGarbled = true
    }
  }
}

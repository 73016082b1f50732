import PoolCore
import PoolSystem

extension WorkerConnection {
  /// A fault that is made on purpose befalls the worker.
  func suffer(_ fault: Chaos.Fault) {
    switch fault {
    case .kill: signal(ProcessSignal.kill.number)
    case .stop: signal(ProcessSignal.stop.number)
    case .garble: isGarbled = true
    }
  }
}

import PoolEvents
import PoolInputs

extension RunBegan {
  /// The commands of the user's own workers, in the order of their worker configurations, as the
  /// run's arguments have them; empty where these are not recorded, or cannot be read.
  var workerCommands: [[UInt8]] {
    guard let arguments else { return [] }
    return switch try? Invocation(arguments: arguments) {
    case .run(let options): options.shared.workers.map(\.command)
    case .map(let options): options.shared.workers.map(\.command)
    default: []
    }
  }
}

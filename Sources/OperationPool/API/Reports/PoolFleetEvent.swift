/// An event of a ``PoolFleet``'s workers that may require the user's help.
///
/// Each event names a worker configuration by its index in the fleet's list.
public enum PoolFleetEvent: Hashable, Sendable {
  /// One more worker could not be started because the system was short of a resource, such as
  /// processes; the others go on, and the pool tries again by itself.
  case metShortage(configuration: Int, because: PoolWorkerDeath?)
  /// Too many workers of the configuration died without having finished an operation: no more are
  /// started, and `remaining` go on.
  ///
  /// `because` is the latest death. If none remain, operations that only they could execute
  /// fail next, with the cause `noWorker`.
  case gaveUp(configuration: Int, because: PoolWorkerDeath?, remaining: Int)
  /// A configuration that was given up is tried again, for operations added since.
  case reopened(configuration: Int)
}

extension PoolFleetEvent: CustomStringConvertible {
  /// A sentence such as `no more workers of configuration 0 are started: worker 3 (pid 712) exited
  /// with code 1`.
  public var description: String {
    switch self {
    case .metShortage(let index, let death):
      "one more worker of configuration \(index) could not be started\(reason(death))"
    case .gaveUp(let index, let death, _):
      "no more workers of configuration \(index) are started\(reason(death))"
    case .reopened(let index):
      "workers of configuration \(index) are tried again"
    }
  }

  private func reason(_ death: PoolWorkerDeath?) -> String {
    death.map { ": \($0)" } ?? ""
  }
}

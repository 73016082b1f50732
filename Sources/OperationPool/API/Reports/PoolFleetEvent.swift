/// An event of a ``PoolFleet``'s workers that may require the user's help.
///
/// Each event names a sort of workers by its index in the fleet's list of worker configurations.
public enum PoolFleetEvent: Hashable, Sendable {
  /// One more worker could not be started because the system was short of a resource, such as
  /// processes; the others go on, and the pool tries again by itself.
  case wentOn(sort: Int, because: PoolWorkerDeath?)
  /// Too many workers of the sort died without having finished an operation: no more are started,
  /// and `remaining` go on.
  ///
  /// `because` is the latest death. If none remain, operations that only this sort could execute
  /// fail next, with the cause `noWorker`.
  case gaveUp(sort: Int, because: PoolWorkerDeath?, remaining: Int)
  /// A sort that was given up is tried again, for operations added since.
  case triedAgain(sort: Int)
}

extension PoolFleetEvent: CustomStringConvertible {
  /// A sentence such as `no more workers of sort 0 are started: worker 3 (pid 712) exited with code
  /// 1`.
  public var description: String {
    switch self {
    case .wentOn(let sort, let death):
      "one more worker of sort \(sort) could not be started\(reason(death))"
    case .gaveUp(let sort, let death, _):
      "no more workers of sort \(sort) are started\(reason(death))"
    case .triedAgain(let sort):
      "workers of sort \(sort) are tried again"
    }
  }

  private func reason(_ death: PoolWorkerDeath?) -> String {
    death.map { ": \($0)" } ?? ""
  }
}

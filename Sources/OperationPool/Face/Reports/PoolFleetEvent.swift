/// Something that happened to the workers of a ``PoolFleet``, and that may have to be mended.
///
/// Each event names a sort of workers by its index in the list that the fleet was made of.
public enum PoolFleetEvent: Hashable, Sendable {
  /// One more worker could not be started because the system had too little of something, such as
  /// processes; the others go on, and it is tried again by itself.
  case wentOn(sort: Int, because: PoolWorkerDeath?)
  /// Too many workers of the sort died without having finished anything: no more are started, and
  /// `remaining` go on.
  ///
  /// This was the last death. Where none remain, operations that only this sort could execute fail
  /// next, with the cause `noWorker`.
  case gaveUp(sort: Int, because: PoolWorkerDeath?, remaining: Int)
  /// A sort that was given up is tried again, for what has been added since.
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

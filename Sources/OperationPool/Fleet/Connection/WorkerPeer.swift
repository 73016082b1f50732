import PoolCore
import PoolModel
import PoolWire

/// A worker as events name it: a process, or a block worker.
///
/// Used only on the loop's thread.
class WorkerPeer {
  let id: WorkerID
  let configuration: ConfigurationID
  /// Nil for a block worker.
  let pid: Int32?
  /// Its first violation of the protocol, if any.
  @exclusivity(unchecked) var violation: Violation?
  /// Excerpts of its standard error.
  @exclusivity(unchecked) var error = ErrorExcerpt()

  init(_ id: WorkerID, _ configuration: ConfigurationID, pid: Int32?) {
    self.id = id
    self.configuration = configuration
    self.pid = pid
  }

  /// The last dispatch that may have begun though nothing says so; nil if the worker's words say
  /// what has begun.
  var lastInDoubt: DispatchNumber? { nil }

  /// Those of a worker's capabilities that hold for it.
  func capabilitiesForCore(_ all: Set<Capability>) -> Set<Capability> { all }

  /// The description of the worker's end.
  func death(_ status: PoolExitStatus) -> PoolWorkerDeath {
    var death = PoolWorkerDeath(
      worker: id,
      pid: pid,
      status: status,
      violation: violation.map { String(describing: $0) },
      error: error
    )
    guard status == .exited(PoolExitStatus.shortageCode) else { return death }
    // A worker that ended because of a shortage before it could greet has broken no rule.
    if case .endBeforeMagic = violation { death.violation = nil }
    death.shortage = death.violation == nil ? .ofSystem : nil
    return death
  }
}

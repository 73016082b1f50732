import PoolModel
import PoolWire

/// A worker as events name it, whether it is a process or lives in this one.
///
/// Confined to the loop's thread.
class WorkerPeer {
  let id: WorkerID
  let configuration: ConfigurationID
  /// Nil where it lives in this process.
  let pid: Int32?
  /// Its first violation of the protocol, if any.
  @exclusivity(unchecked) var violation: Violation?
  /// What is kept of its standard error.
  @exclusivity(unchecked) var error = ErrorExcerpt()

  init(_ id: WorkerID, _ configuration: ConfigurationID, pid: Int32?) {
    self.id = id
    self.configuration = configuration
    self.pid = pid
  }

  /// How the worker came to its end.
  func death(_ status: PoolExitStatus) -> PoolWorkerDeath {
    var death = PoolWorkerDeath(
      worker: id,
      pid: pid,
      status: status,
      violation: violation.map { String(describing: $0) },
      error: error
    )
    guard status == .exited(PoolExitStatus.shortageCode) else { return death }
    // A worker that lacked what it needs to greet breaks no rule by its end.
    if case .endBeforeMagic = violation { death.violation = nil }
    death.isShortage = death.violation == nil
    return death
  }
}

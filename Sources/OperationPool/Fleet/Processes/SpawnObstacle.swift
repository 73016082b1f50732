import Foundation
import PoolCore
import PoolModel
import PoolSystem

/// Why a worker could not be started.
struct SpawnObstacle: Sendable {
  var reason: String
  /// What was short, if that is the reason.
  var shortage: WorkerShortage?
  /// Why the loop stopped waiting for the start, if it did.
  var impatience: SignalReason?

  init(_ reason: String, impatience: SignalReason? = nil) {
    self.reason = reason
    self.impatience = impatience
  }

  /// The death of the worker that could not be started.
  func death(of worker: WorkerID) -> PoolWorkerDeath {
    var death = PoolWorkerDeath(worker: worker)
    death.shortage = shortage
    death.reason = impatience
    if impatience == nil { death.spawnFailure = reason }
    if impatience == .greeting { death.violation = reason }
    return death
  }

  init(_ error: any Error) {
    let failure = error as? SystemFailure ?? SystemFailure(wrappedIn: error)
    reason = failure?.description ?? String(describing: error)
    let isShortage = failure?.isShortage ?? (error as? SpawnFailure)?.isShortage ?? false
    if isShortage { shortage = failure?.isOwnLimit == true ? .ofOwnDescriptors : .ofSystem }
  }
}

extension SystemFailure {
  /// The system's error number in an error of Foundation's, which may wrap it twice.
  fileprivate init?(wrappedIn error: any Error) {
    let wrapped = error as NSError
    if wrapped.domain == NSPOSIXErrorDomain {
      self.init(call: "starting it", code: Int32(truncatingIfNeeded: wrapped.code))
    } else if let inner = wrapped.userInfo[NSUnderlyingErrorKey] as? any Error {
      self.init(wrappedIn: inner)
    } else {
      return nil
    }
  }
}

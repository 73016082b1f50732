import PoolCore
import PoolModel
import PoolSystem

// Events that block workers report to the machine directly.

extension PoolEngine: BlockReports {
  func blockWorkerGreeted(_ worker: WorkerID) { post(.greeted(worker)) }

  func blockWorkerEnded(_ worker: WorkerID) { post(.ended(worker, .exited(0))) }

  func blockWorkerFailed(_ worker: WorkerID, _ obstacle: SpawnObstacle) {
    post(.failed(worker, obstacle))
  }

  func performOnLoop(_ body: @escaping @Sendable () -> Void) { post(.perform(body)) }

  /// Begins an operation on a block worker, unless the closure, which is called under the
  /// lock, or the machine says that it was cancelled; returns whether it begins.
  ///
  /// A member of a group is cancelled in the machine first.
  ///
  /// Wakes the loop only for effects that follow at once, and for an earlier deadline: a turn for
  /// each beginning would cost more than most blocks.
  func begin(
    _ reference: DispatchReference,
    on worker: WorkerID,
    unless isCancelled: () -> Bool
  ) -> Bool {
    let now = now
    defer { forgetReleased() }
    let (begins, sleeper): (Bool, WakePipe?) = NormalPriorityThread.execute {
      shared.withLock { shared in
        let wasCancelled = shared.transaction.isCancelled(reference.operation)
        guard !wasCancelled, !isCancelled() else { return (false, nil) }
        shared.transaction.advance(to: now)
        let deadline = shared.transaction.machine.nextDeadline
        shared.transaction.begin(reference, on: worker)
        return (true, shared.sleeper(since: deadline))
      }
    }
    sleeper?.wake()
    return begins
  }
}

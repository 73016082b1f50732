import PoolCore
import PoolModel
import PoolSystem

// What in-process workers tell the machine themselves.

extension PoolEngine {
  /// An in-process worker begins with an operation, unless the closure, which is called under the
  /// lock, says that it was cancelled; returns whether it begins.
  ///
  /// The loop is woken only for what follows at once, and for a nearer deadline: a turn for each
  /// beginning would cost more than most blocks.
  func begin(
    _ reference: DispatchReference,
    on worker: WorkerID,
    unless isCancelled: () -> Bool
  ) -> Bool {
    let now = now
    defer { forgetReleased() }
    let (begins, sleeper): (Bool, WakePipe?) = NormalPriorityThread.execute {
      shared.withLock { shared in
        guard !isCancelled() else { return (false, nil) }
        shared.transaction.now = now
        let deadline = shared.transaction.machine.nextDeadline
        shared.transaction.begin(reference, on: worker)
        let isNews =
          shared.transaction.machine.wantsTurn
          || shared.transaction.machine.nextDeadline != deadline
        return (true, isNews ? shared.wakeUps.wake() : nil)
      }
    }
    sleeper?.wake()
    return begins
  }
}

import PoolModel
import PoolSystem
import Synchronization

/// The thread beside the one that executes: it listens, and sends what waits, while an operation is
/// long.
struct IOThread: Sendable {
  /// How often it looks in: each millisecond, or each four while operations start processes, which
  /// takes one by itself.
  private var pause: Int64 {
    session.startsProcesses.load(ordering: .relaxed) ? .milliseconds(4) : .milliseconds(1)
  }

  let session: WorkerSession

  /// Attends to the session until it ends.
  func run() {
    rest()
    while let turn = nextTurn() {
      switch turn {
      case .wait: flush(comesAgain: true)
      case .rest:
        flush(comesAgain: false)
        rest()
      case .read:
        flush(comesAgain: false)
        read()
      }
    }
  }

  /// Waits until it is called; from then on the executor can rely on its coming by.
  private func rest() {
    session.awaitCall()
    flush(comesAgain: true)
  }

  /// What to do after a pause; nil at the end.
  private func nextTurn() -> ReadingTurns.Turn? {
    MonotonicClock.sleep(nanoseconds: pause)
    return session.inbox.withLock { $0.isOver ? nil : $0.turns.attend() }
  }

  /// Reads until the executor does again, or the end.
  private func read() {
    while session.read() {
      let goesOn = session.inbox.withLock { $0.turns.goesOnReading(isExecutorIdle: $0.isIdle) }
      session.inbox.broadcast()
      if !goesOn { return }
    }
  }

  private func flush(comesAgain: Bool) {
    // A coordinator that is gone is noticed by the end of the input.
    try? session.output.flush(comesAgain: comesAgain)
  }
}

import PoolModel
import PoolSystem
import PoolWire

// The thread beside the main one: while an operation is long, it reads, and sends waiting messages.
extension CoordinatorConnection {
  /// Serves the connection until it ends.
  func runIOThread() {
    rest()
    while let look = look() {
      switch look {
      case .pause: break
      case .rest: rest()
      case .read: readForMain()
      }
    }
  }

  /// Looks after a pause, and sends waiting messages; nil at the end.
  ///
  /// It never waits for a write of another thread: the input must be read even if the output is
  /// full.
  private func look() -> WorkerMachine.Look? {
    MonotonicClock.sleep(nanoseconds: pause)
    let (look, waiting) = shared.withLock { shared -> (WorkerMachine.Look?, JSONWriter?) in
      let look = shared.machine.look()
      let waits = look == nil || shared.machine.waitsForNext(look)
      return (look, waits ? nil : shared.output.beginWriting())
    }
    writeIgnoringEnd(waiting)
    return look
  }

  /// Every millisecond; every four while an operation starts a process, which itself takes one.
  private var pause: Int64 {
    shared.withLock { $0.machine.executesProcess } ? .milliseconds(4) : .milliseconds(1)
  }

  /// Sleeps until an operation executes.
  private func rest() {
    writeIgnoringEnd(
      shared.wait(
        while: { $0.machine.isIOThreadResting },
        then: { $0.output.beginWriting() }
      )
    )
  }

  /// Reads until the main thread does so again, or until the end.
  private func readForMain() {
    while read() {
      if shared.withLock({ $0.machine.keepsReading() }) { continue }
      return shared.broadcast()
    }
  }

  /// A coordinator that is gone is noticed at the end of the input.
  private func writeIgnoringEnd(_ waiting: JSONWriter?) {
    if let waiting { _ = try? write(waiting) }
  }
}

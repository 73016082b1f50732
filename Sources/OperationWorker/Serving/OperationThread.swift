import PoolSystem
import PoolWire

/// The thread of a worker process that executes operations, beside the main thread, which serves
/// the main queue: an operation may wait for the main actor.
final class OperationThread: Sendable {
  private let kinds: [String: WorkerKind]
  private let connection: CoordinatorConnection
  private let end = Monitor<Result<Void, PoolWorkerError>?>(nil)

  init(kinds: [String: WorkerKind], _ connection: CoordinatorConnection) {
    self.kinds = kinds
    self.connection = connection
  }

  /// Greets and executes on a new thread, until the worker ends; called on the main thread.
  func serve(_ hello: Hello) throws(PoolWorkerError) {
    do throws(SystemFailure) {
      let thread = try SystemThread.start(
        name: "opool-worker",
        mask: .empty,
        stack: .ofMainThread,
        ended: Self.threadEnded
      ) {
        self.execute(hello)
      }
      thread.detach()
    } catch {
      throw .cannotStart(error)
    }
    SystemThread.call(
      { MainQueue.serve { self.end.withLock { $0 == nil } } },
      ended: Self.threadEnded
    )
    try end.withLock { $0 ?? .success(()) }.get()
  }

  private func execute(_ hello: Hello) {
    let loop = WorkerLoop(kinds: kinds, connection: connection)
    let result = Result { () throws(PoolWorkerError) in try loop.run(after: hello) }
    end.withLock { $0 = result }
    MainQueue.wake()
  }

  /// An operation has ended its thread, which can answer no longer: ends the process with the
  /// operation.
  private static func threadEnded() {
    CurrentProcess.complain("Fatal error: an operation has ended its thread")
    CurrentProcess.endNow(70)
  }
}

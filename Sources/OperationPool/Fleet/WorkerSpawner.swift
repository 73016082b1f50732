import PoolModel
import PoolSystem

/// The one thread on which workers are started.
///
/// A child keeps the signal mask of the thread that spawned it, and its death signal is bound to
/// that thread's life: so it is one permanent thread with an empty mask.
final class WorkerSpawner: Sendable {
  private struct Requests {
    var pending: [@Sendable () -> Void] = []
    var isClosed = false
  }

  private let requests = Monitor(Requests())
  private let thread: SystemThread

  init() throws(SystemFailure) {
    let requests = requests
    thread = try SystemThread.start(name: "opool-spawner", mask: .empty) {
      while let request = Self.next(requests) { request() }
    }
  }

  /// Starts a worker; one of the two closures hears of it, and `ended` later, once.
  func spawn(
    _ program: PoolWorkers.Program,
    started: @escaping @Sendable (sending WorkerProcess) -> Void,
    failed: @escaping @Sendable (String) -> Void,
    ended: @escaping @Sendable (PoolExitStatus) -> Void
  ) {
    requests.withLock { requests in
      requests.pending.append {
        do {
          started(try WorkerProcess.spawn(program, ended: ended))
        } catch {
          failed(String(describing: error))
        }
      }
    }
    requests.signal()
  }

  /// Ends the thread after what was asked for.
  func close() {
    requests.withLock { $0.isClosed = true }
    requests.signal()
    thread.join()
  }

  private static func next(_ requests: Monitor<Requests>) -> (@Sendable () -> Void)? {
    requests.wait(
      while: { $0.pending.isEmpty && !$0.isClosed },
      then: { $0.pending.isEmpty ? nil : $0.pending.removeFirst() }
    )
  }
}

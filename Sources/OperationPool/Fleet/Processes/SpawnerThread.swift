import Foundation
import PoolCore
import PoolModel
import PoolSystem

/// The one thread on which workers are started.
///
/// A child inherits the signal mask of the thread that spawned it, and its death signal depends on
/// that thread's life: so this is one permanent thread with an empty mask.
final class SpawnerThread: WorkerSpawner {
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

  func spawn(
    _ program: WorkerProgram,
    started: @escaping @Sendable (sending any WorkerProcess) -> Void,
    failed: @escaping @Sendable (SpawnObstacle) -> Void,
    ended: @escaping @Sendable (PoolExitStatus) -> Void
  ) {
    requests.withLock { requests in
      requests.pending.append {
        do {
          if case .hosted(let kinds) = program {
            return started(try HostedProcess.start(kinds, ended: ended))
          }
          started(
            try SpawnedProcess.spawn(program) { status in
              ended(status)
              if status != .exited(0) { StaleFolders.workerDied() }
            }
          )
          // After the first start, so that the worker does not wait for this.
          StaleFolders.sweepOnce()
        } catch {
          failed(SpawnObstacle(error))
        }
      }
    }
    requests.signal()
  }

  func end(_ orphans: Adoption.Orphans, then body: @escaping @Sendable () -> Void) {
    requests.withLock { requests in
      requests.pending.append {
        SpawnedProcess.end(orphans)
        body()
      }
    }
    requests.signal()
  }

  /// Ends the thread after the starts that were requested.
  func close(isStuck: Bool) {
    requests.withLock { $0.isClosed = true }
    requests.signal()
    if isStuck { thread.detach() } else { thread.join() }
  }

  private static func next(_ requests: Monitor<Requests>) -> (@Sendable () -> Void)? {
    requests.wait(
      while: { $0.pending.isEmpty && !$0.isClosed },
      then: { $0.pending.isEmpty ? nil : $0.pending.removeFirst() }
    )
  }
}

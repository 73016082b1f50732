import Foundation
import PoolCore
import PoolModel
import PoolSystem

/// The one thread on which workers are started.
///
/// A child inherits the signal mask of the thread that spawned it, and its death signal depends on
/// that thread's life: so this is one permanent thread with an empty mask.
final class SpawnerThread: WorkerSpawner {
  /// What the thread has to do.
  struct Requests {
    /// One thing to do.
    enum Work {
      case start(@Sendable () -> Void)
      case end([Remains])
    }

    /// What a dead worker has left, and what to call when it has ended.
    struct Remains {
      var orphans: Adoption.Orphans
      var ended: @Sendable () -> Void
    }

    var pending: [@Sendable () -> Void] = []
    /// What dead workers have left: all of it is ended together.
    var remains: [Remains] = []
    var isClosed = false

    var isEmpty: Bool { pending.isEmpty && remains.isEmpty }

    /// What is to be done next: remains first, because operations wait for their end.
    mutating func next() -> Work? {
      guard !remains.isEmpty else { return pending.isEmpty ? nil : .start(pending.removeFirst()) }
      defer { remains = [] }
      return .end(remains)
    }
  }

  private let requests = Monitor(Requests())
  private let thread: SystemThread

  init() throws(SystemFailure) {
    let requests = requests
    thread = try SystemThread.start(name: "opool-spawner", mask: .empty) {
      while let work = Self.next(requests) {
        switch work {
        case .start(let start): start()
        case .end(let remains):
          SpawnedProcess.end(remains.map(\.orphans)) { remains[$0].ended() }
        }
      }
    }
  }

  func spawn(
    _ launcher: any WorkerLauncher,
    started: @escaping @Sendable (sending any WorkerProcess) -> Void,
    failed: @escaping @Sendable (SpawnObstacle) -> Void,
    ended: @escaping @Sendable (PoolExitStatus) -> Void
  ) {
    requests.withLock { requests in
      requests.pending.append {
        let leavesFolders = launcher.place != .thisProcess
        do {
          started(
            try launcher.start { status in
              ended(status)
              if leavesFolders, status != .exited(0) { StaleFolders.workerDied() }
            }
          )
          // After the first start, so that the worker does not wait for this.
          if leavesFolders { StaleFolders.sweepOnce() }
        } catch {
          failed(SpawnObstacle(error))
        }
      }
    }
    requests.signal()
  }

  func end(_ orphans: Adoption.Orphans, then body: @escaping @Sendable () -> Void) {
    let remains = Requests.Remains(orphans: orphans, ended: body)
    requests.withLock { $0.remains.append(remains) }
    requests.signal()
  }

  /// Ends the thread after the starts that were requested.
  func close(isStuck: Bool) {
    requests.withLock { $0.isClosed = true }
    requests.signal()
    if isStuck { thread.detach() } else { thread.join() }
  }

  private static func next(_ requests: Monitor<Requests>) -> Requests.Work? {
    requests.wait(
      while: { $0.isEmpty && !$0.isClosed },
      then: { $0.next() }
    )
  }
}

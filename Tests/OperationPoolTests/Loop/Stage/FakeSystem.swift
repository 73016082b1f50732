import PoolModel
import PoolSystem
import Synchronization

@testable import OperationPool

/// A system without processes: a clock that tests move, and workers that they play.
final class FakeSystem: Sendable {
  /// A worker that the loop wants to have started, and how it is told.
  struct Request: Sendable {
    let started: @Sendable (sending any WorkerProcess) -> Void
    let failed: @Sendable (SpawnObstacle) -> Void
    let ended: @Sendable (PoolExitStatus) -> Void
  }

  private struct State {
    var now: Int64 = 0
    var requests: [Request] = []
    var stops = 0
    var memoryKills = 0
    var isClosed = false
    var onCount: (@Sendable () -> Void)?
    var adoptsOrphans = false
    var orphanEnds: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())
  /// How long this process is stopped at a time.
  private let stopLength: Int64

  init(stopLength: Int64 = 0) {
    self.stopLength = stopLength
  }

  /// This system as the engine sees it.
  var interface: SystemInterface {
    SystemInterface(
      now: { self.state.withLock { $0.now } },
      stopProcess: { self.stop() },
      memoryKillCount: { self.countMemoryKills() },
      adoptsOrphans: { self.state.withLock { $0.adoptsOrphans } },
      makeSpawner: { FakeSpawner(self) }
    )
  }

  /// How often this process was stopped.
  var stops: Int { state.withLock { $0.stops } }

  /// Whether the loop has ended.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// How many workers wait to be started.
  var requestCount: Int { state.withLock { $0.requests.count } }

  func advance(by nanoseconds: Int64) {
    state.withLock { $0.now += nanoseconds }
  }

  /// The system kills a process for want of memory.
  func countMemoryKill() {
    state.withLock { $0.memoryKills += 1 }
  }

  /// Has a closure called when the loop asks next how many that were, which it does in a turn after
  /// it has taken the messages of other threads.
  func whenMemoryKillsAreCounted(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.onCount = body }
  }

  private func countMemoryKills() -> Int {
    state.withLock { $0.onCount.take() }?()
    return state.withLock { $0.memoryKills }
  }

  /// From here on, this process adopts what workers leave, which ends when a test says so.
  func adoptOrphans() {
    state.withLock { $0.adoptsOrphans = true }
  }

  /// All that workers have left has ended; returns of how many.
  func endOrphans() -> Int {
    let ends = state.withLock { state in
      defer { state.orphanEnds = [] }
      return state.orphanEnds
    }
    for end in ends { end() }
    return ends.count
  }

  fileprivate func keep(_ end: @escaping @Sendable () -> Void) {
    state.withLock { $0.orphanEnds.append(end) }
  }

  /// The worker that was asked for first, and neither started nor refused yet.
  func takeRequest() -> Request? {
    state.withLock { $0.requests.isEmpty ? nil : $0.requests.removeFirst() }
  }

  private func stop() {
    state.withLock { state in
      state.stops += 1
      state.now += stopLength
    }
  }

  fileprivate func add(_ request: Request) {
    state.withLock { $0.requests.append(request) }
  }

  fileprivate func close() {
    state.withLock { $0.isClosed = true }
  }
}

private final class FakeSpawner: WorkerSpawner {
  private let system: FakeSystem

  init(_ system: FakeSystem) {
    self.system = system
  }

  func spawn(
    _ launcher: any WorkerLauncher,
    started: @escaping @Sendable (sending any WorkerProcess) -> Void,
    failed: @escaping @Sendable (SpawnObstacle) -> Void,
    ended: @escaping @Sendable (PoolExitStatus) -> Void
  ) {
    system.add(FakeSystem.Request(started: started, failed: failed, ended: ended))
  }

  func end(_ orphans: Adoption.Orphans, then body: @escaping @Sendable () -> Void) {
    system.keep(body)
  }

  func close(isStuck: Bool) { system.close() }
}

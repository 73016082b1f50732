import PoolModel
import PoolSystem

/// The operating system, as the engine and its event loop use it.
///
/// Together with ``WorkerSpawner`` and ``WorkerProcess`` it is the only interface to the system:
/// tests of the loop provide their own, with a manual clock and simulated workers.
struct SystemInterface: Sendable {
  /// The nanoseconds of a clock that only goes forward.
  var now: @Sendable () -> Int64
  /// Stops this process; returns when it was continued.
  var stopProcess: @Sendable () -> Void
  /// Number of processes that the out-of-memory killer has killed; nil if the system does not say.
  var memoryKillCount: @Sendable () -> Int?
  /// Whether this process adopts the orphans of workers; see ``Adoption``.
  var adoptsOrphans: @Sendable () -> Bool
  /// Tells people a line that no caller can be told.
  var complain: @Sendable (String) -> Void = { CurrentProcess.complain($0) }
  /// Makes the spawner of one loop.
  var makeSpawner: @Sendable () throws -> any WorkerSpawner

  /// The operating system.
  static let system = Self(
    now: { MonotonicClock.now },
    stopProcess: { CurrentProcess.stop() },
    memoryKillCount: { MemoryEvents.killCount },
    adoptsOrphans: { Adoption.isOn },
    makeSpawner: { try SpawnerThread() }
  )
}

import PoolModel
import PoolSystem

/// The operating system, as the engine and its event loop see it.
///
/// This is the one seam to it, with ``WorkerSpawner`` and ``WorkerProcess``: tests of the loop have
/// a system of their own, with a clock that they move and workers that are no processes.
struct SystemInterface: Sendable {
  /// The nanoseconds of a clock that only goes forward.
  var now: @Sendable () -> Int64
  /// Stops this process; returns when it was continued.
  var stopProcess: @Sendable () -> Void
  /// Number of processes that the system has killed for want of memory; nil where it does not say.
  var memoryKillCount: @Sendable () -> Int?
  /// Makes what starts the workers of one loop.
  var makeSpawner: @Sendable () throws -> any WorkerSpawner

  /// The operating system.
  static let system = Self(
    now: { MonotonicClock.now },
    stopProcess: { CurrentProcess.stop() },
    memoryKillCount: { MemoryEvents.killCount },
    makeSpawner: { try SpawnerThread() }
  )
}

/// Starts worker processes, and tells of their ends.
///
/// Called on the loop's thread; its closures are called on any.
protocol WorkerSpawner: AnyObject, Sendable {
  /// Starts a worker; calls `started` or `failed` once, and `ended` once after the end of one that
  /// was started, which may come first.
  func spawn(
    _ program: WorkerProgram,
    started: @escaping @Sendable (sending any WorkerProcess) -> Void,
    failed: @escaping @Sendable (SpawnObstacle) -> Void,
    ended: @escaping @Sendable (PoolExitStatus) -> Void
  )

  /// Ends what a worker has left to this process, while no other worker is started, and calls the
  /// closure.
  func settle(_ estate: Adoption.Estate, then body: @escaping @Sendable () -> Void)

  /// The loop has ended; waits for what was asked for, unless that may take for ever.
  func close(isStuck: Bool)
}

/// One worker process: our ends of its three pipes, which do not block, and its signals.
///
/// Confined to the loop's thread once the spawner has handed it over.
protocol WorkerProcess: AnyObject {
  var pid: Int32 { get }
  var input: Int32 { get }
  var output: Int32 { get }
  var error: Int32 { get }

  /// Reads once from its output or error; the end where that fails.
  func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> SystemIO.Transfer
  /// Writes once to its input; the end where that fails.
  func write(_ bytes: UnsafeRawBufferPointer) -> SystemIO.Transfer

  /// How it has ended; nil while it lives, and where that is not known.
  var status: PoolExitStatus? { get }
  /// Whether it was stopped: the worker's own process, which may be below this one.
  func isStopped(_ worker: Int32) -> Bool
  /// Whether a process was started below this one.
  func isAncestor(of process: Int32) -> Bool
  /// The bytes of memory that the worker's own process has, where the system says so.
  func residentBytes(of worker: Int32) -> Int?

  /// Signals the worker's process group.
  func send(_ signal: Int32)
  /// Signals a group, where its leader was started below this process.
  func send(_ signal: Int32, toGroup group: Int32)
  /// Kills the worker, and the group in which it executes its operation.
  func kill(with group: Int32?)
  /// Kills again what was killed and has not ended, and a guardian that has not seen to that.
  func insist(on worker: Int32)
  /// Continues a guardian that was stopped: it must notice its worker's end.
  func wakeGuardian()
  /// Ends a process that came too late, and closes its pipes.
  func discard()
}

import PoolModel
import PoolSystem

/// Starts worker processes, and reports their ends.
///
/// Called on the loop's thread; calls its closures on any thread.
protocol WorkerSpawner: AnyObject, Sendable {
  /// Starts a worker; calls `started` or `failed` once. For a started worker, calls `ended` once
  /// after its end, perhaps before `started`.
  func spawn(
    _ launcher: any WorkerLauncher,
    started: @escaping @Sendable (sending any WorkerProcess) -> Void,
    failed: @escaping @Sendable (SpawnObstacle) -> Void,
    ended: @escaping @Sendable (PoolExitStatus) -> Void
  )

  /// Ends the processes that a worker has left to the coordinator, while no other worker is
  /// started, and then calls the closure.
  func end(_ orphans: Adoption.Orphans, then body: @escaping @Sendable () -> Void)

  /// The loop has ended: waits for pending starts, unless one may never return.
  func close(isStuck: Bool)
}

/// A worker that was started, with pipes of its own: its handle and its channel are one.
typealias WorkerProcess = WorkerHandle & WorkerChannel

/// The conversation with one worker: the descriptors of its streams, and how bytes are moved.
///
/// Used only on the loop's thread after the spawner has handed it over.
protocol WorkerChannel: AnyObject {
  var input: Int32 { get }
  var output: Int32 { get }
  var error: Int32 { get }

  /// Waits until what was written is not in the hands of this process any more, at most so long.
  func finishSending(within nanoseconds: Int64)
  /// Whether damage to what it carries is found without the help of the worker.
  var isSealed: Bool { get }

  /// Reads once from its output or error; end of file if that fails.
  func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> SystemIO.Transfer
  /// Writes once to its input; end of file if that fails.
  func write(_ bytes: UnsafeRawBufferPointer) -> SystemIO.Transfer
}

/// What signals a worker, ends it, and knows how it has ended.
///
/// Used only on the loop's thread after the spawner has handed it over.
protocol WorkerHandle: AnyObject {
  var pid: Int32 { get }

  /// Its exit status; nil while it lives, or if that is unknown.
  var status: PoolExitStatus? { get }
  /// Whether it has certainly ended, although it may be on another machine, and all that it has
  /// said was read.
  var isEndProved: Bool { get }
  /// Whether the worker's own process is stopped; it may be a child of `pid`, which is its
  /// guardian.
  func isStopped(_ worker: Int32) -> Bool
  /// Whether it is an ancestor of the process.
  func isAncestor(of process: Int32) -> Bool
  /// The resident bytes of the worker's own process, if the system says.
  func residentBytes(of worker: Int32) -> Int?

  /// Signals the worker's process group.
  func send(_ signal: Int32)
  /// Signals a process group, if its leader is a descendant of this process.
  func send(_ signal: Int32, toGroup group: Int32)
  /// Kills the worker, and the process group of its operation.
  func kill(with group: Int32?)
  /// Kills a worker again that was killed and has not ended, and a guardian that did not notice its
  /// end.
  func insist(on worker: Int32)
  /// Continues a guardian that was stopped, so that it notices its worker's end.
  func wakeGuardian()
  /// Ends a process that is not wanted any more, and closes its pipes.
  func discard()
}

extension WorkerChannel {
  var isSealed: Bool { false }
  func finishSending(within nanoseconds: Int64) {}
}

extension WorkerHandle {
  var isEndProved: Bool { false }
}

import PoolModel
import PoolWire

/// How workers are started, and where they then are: one type for each place in which they may be.
///
/// A launcher is a value of a ``PoolWorkerConfiguration``. Apart from what it says here, workers
/// are the same in all places: their protocol, their lives and their ends.
protocol WorkerLauncher: Sendable {
  /// Where its workers execute.
  var place: WorkerPlace { get }

  /// Whether it starts neither a program of this package nor the running one: such a worker may be
  /// slow to greet.
  var isForeign: Bool { get }

  /// Whether it may wait for a machine, for as long as the user lets it.
  var mayWait: Bool { get }

  /// Streams of this process that its workers inherit, so that commands can write to them.
  var streams: InheritedStreams? { get }

  /// The same, for workers that lock the journal at this path against later runs, as long as any
  /// process lives that they have started.
  func holding(journal path: String) -> Self

  /// The same, for workers that live so long without an answer.
  func leased(_ terms: LeaseTerms) -> Self

  /// The same, for workers that print no backtrace when they crash.
  func withoutBacktraces() -> Self

  /// Starts a worker; calls `ended` once, on some thread, after its end, perhaps before this
  /// returns.
  ///
  /// Called on the spawner's thread, one at a time.
  func start(
    ended: @escaping @Sendable (PoolExitStatus) -> Void
  ) throws -> sending any WorkerProcess
}

extension WorkerLauncher {
  var mayWait: Bool { false }
  var streams: InheritedStreams? { nil }
  func holding(journal path: String) -> Self { self }
  func withoutBacktraces() -> Self { self }
  func leased(_ terms: LeaseTerms) -> Self { self }
}

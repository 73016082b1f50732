import OperationWorker
import PoolSystem

/// Which crashes of workers have the backtrace of Swift's runtime, which takes half a second or
/// more.
///
/// ```swift
/// let workers = PoolWorkerConfiguration.thisExecutable().backtracing(.always)
/// ```
///
/// Other crashes end their worker at once. A failure has the reason in any case, such as `Fatal
/// error: Index out of range`: see ``PoolWorkerDeath/headline``.
public enum PoolBacktraces: Hashable, Sendable, CaseIterable {
  /// The first crash of the configuration in its fleet, and those of the workers that it had
  /// started before.
  case first
  /// Every crash.
  case always
  /// No crash.
  case never
}

extension PoolWorkerConfiguration {
  /// The same workers, with these backtraces; ``PoolBacktraces/first`` without this call.
  ///
  /// `SWIFT_BACKTRACE` in the environment of this process counts for workers whose crashes have
  /// backtraces, and for what workers start, if they are programs of this package.
  public func backtracing(_ backtraces: PoolBacktraces) -> Self {
    var copy = self
    copy.backtraces = backtraces
    return copy
  }

  /// A worker has begun to print a backtrace.
  mutating func noteBacktrace() {
    if backtraces == .first { backtraces = .never }
  }

  /// How the next worker is started; nil for block workers.
  var launcherToUse: (any WorkerLauncher)? {
    backtraces == .never ? launcher?.withoutBacktraces() : launcher
  }
}

import OperationWorker
import PoolSystem

/// Which crashes of workers have the backtrace of Swift's runtime, which takes half a second or more.
///
/// ```swift
/// let workers = PoolWorkerConfiguration.thisExecutable().backtracing(.always)
/// ```
///
/// Other crashes end their worker at once. A failure has the reason in any case, such as `Fatal error:
/// Index out of range`: see ``PoolWorkerDeath/headline``.
public enum PoolBacktraces: Hashable, Sendable, CaseIterable {
  /// The first crash of the configuration in its fleet, and those of the workers that it had started
  /// before.
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

  /// The program to start now.
  var programToStart: WorkerProgram {
    guard backtraces == .never, case .executable(var executable) = program else { return program }
    let name = BacktraceSetting.variable
    let own = ProcessEnvironment.current.value(of: name).map { String(decoding: $0, as: UTF8.self) }
    executable.environment[name] = "enable=no"
    executable.environment[BacktraceSetting.original] = own ?? ""
    return .executable(executable)
  }
}

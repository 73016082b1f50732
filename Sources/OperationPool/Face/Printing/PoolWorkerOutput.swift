/// Where the lines go that workers print.
///
/// ```swift
/// let workers = PoolWorkerConfiguration.thisExecutable().printing(to: .discarded)
/// let queue = try PoolOperationQueue(workers: workers)
/// ```
///
/// Wherever they go, the beginning of what an operation prints is in ``PoolOutcome/printed``.
public enum PoolWorkerOutput: Sendable {
  /// To the standard error of this process, as fast as that is read, each line behind the label of its operation, as
  /// `resize 17: line`; characters that could move a terminal's cursor are escaped.
  case standardError
  /// Nowhere.
  case discarded
  /// To a closure, in order, on a thread of the system's.
  ///
  /// While it is behind by more than a few hundred kilobytes, workers that print wait for it. So it
  /// must not wait for what these workers do. It may be called after the operation has finished.
  case closure(@Sendable (PoolWorkerLine) -> Void)
}

extension PoolWorkerConfiguration {
  /// The same workers, whose lines go there.
  ///
  /// The standard output and the standard error of a worker are one stream, in the order of writing.
  /// Without this, its lines go to the standard error of this process. What blocks print, and
  /// workers ``inProcess(_:count:)-(WorkerKind...,_)``, is this process's own output.
  public func printing(to output: PoolWorkerOutput) -> Self {
    var copy = self
    switch output {
    case .standardError: copy.printer = StandardErrorPrinter.shared
    case .discarded: copy.printer = nil
    case .closure(let body): copy.printer = ClosurePrinter(body)
    }
    return copy
  }
}

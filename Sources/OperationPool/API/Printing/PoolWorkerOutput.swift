/// The destination of the lines that workers print.
///
/// ```swift
/// let workers = PoolWorkerConfiguration.thisExecutable().printing(to: .discarded)
/// let queue = try PoolOperationQueue(workers: workers)
/// ```
///
/// In any case, the start of the text that an operation prints is in ``PoolOutcome/printed``.
public enum PoolWorkerOutput: Sendable {
  /// The standard error of this process, as fast as it is read. Each line begins with the label of
  /// its operation, as in `resize 17: line`; characters that could move a terminal's cursor are
  /// escaped.
  case standardError
  /// The lines are dropped.
  case discarded
  /// A closure, called in order on a thread of the system.
  ///
  /// While it is more than a few hundred kilobytes behind, workers that print wait for it. So it
  /// must not wait for operations of these workers. It may be called after the operation has
  /// finished.
  case closure(@Sendable (PoolWorkerLine) -> Void)
}

extension PoolWorkerConfiguration {
  /// The same workers, with this destination for their lines.
  ///
  /// The standard output and the standard error of a worker are one stream, in the order of
  /// writing. By default, its lines go to the standard error of this process. Blocks, and workers
  /// ``inProcess(_:count:)-(WorkerKind...,_)``, print to this process's own streams.
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

/// The origin of a cancellation, and what made the operation end.
public struct PoolCancellation: Hashable, Sendable {
  /// Where the first request came from.
  public enum Origin: Hashable, Sendable, CaseIterable {
    /// ``PoolOperation/cancel()``.
    case operation
    /// ``PoolOperationQueue/cancelAllOperations()``.
    case queue
    /// The cancellation of the group that it belongs to.
    case group
    /// The cancellation of the task that executed it by ``PoolOperationQueue/run(_:)-(Operation)``,
    /// or that read the results of a ``PoolMap``.
    case task
    /// A ``PoolGate`` was let go without having been opened.
    case gate
  }

  /// Where the first request came from.
  public let origin: Origin

  /// The action of the teardown sequence on which it ended; nil where it was not executing.
  public let step: PoolTeardownSequence.Action?
}

extension PoolOutcome {
  /// The origin of its cancellation, where that was asked for, even if it ended otherwise.
  public var cancellation: PoolCancellation? {
    canceller.map {
      PoolCancellation(origin: $0, step: ending == .cancelled ? report.actionReached : nil)
    }
  }
}

/// The origin of a cancellation, and the teardown step that ended the operation.
public struct PoolCancellation: Hashable, Sendable {
  /// The origin of the first request.
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
    /// A ``PoolGate`` was released without having been opened.
    case gate
  }

  /// The origin of the first request.
  public let origin: Origin

  /// The teardown action on which it ended; nil if it was not executing.
  public let step: PoolTeardownSequence.Action?
}

extension PoolOutcome {
  /// The cancellation that was requested, if any, even if the operation ended otherwise.
  public var cancellation: PoolCancellation? {
    canceller.map {
      PoolCancellation(origin: $0, step: ending == .cancelled ? report.actionReached : nil)
    }
  }
}

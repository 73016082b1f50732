import PoolCore
import PoolModel
import Synchronization

extension PoolGroupOperation {
  /// Executes the members, and waits until all have finished.
  func execute() async throws {
    guard let queue else { preconditionFailure("what executes is in a queue") }
    let inner = innerQueue(of: queue)
    try OperationRegistry.process.update { transaction throws(PoolError) in
      try admitAll(to: inner, &transaction)
    }
    await withTaskCancellationHandler {
      repeat { await inner.becomeEmpty() } while !closes(inner)
    } onCancel: {
      cancelMembers()
    }
    guard let first = firstFailure() else { return }
    if isCancelled { throw CancellationError() }
    throw MemberFailure(first)
  }

  /// A queue over the same workers, with the settings that members inherit; see
  /// ``QueueCore/init(inside:holding:)``.
  func innerQueue(of queue: QueueCore, holding holdsOuter: Bool = false) -> QueueCore {
    let inner = QueueCore(inside: queue, holding: holdsOuter)
    let (own, outer) = (qualityOfService, queue.settings.withLock { $0 })
    inner.change { settings in
      settings = outer
      settings.qualityOfService = outer.qualityOfService(of: own)
    }
    return inner
  }

  /// Closes the group if all members have finished; returns whether it did.
  private func closes(_ inner: QueueCore) -> Bool {
    roster.withLock { roster in
      roster.isClosed = inner.isEmpty
      return roster.isClosed
    }
  }

  /// The first member that did not succeed; a skipped one counts last, because it only follows from
  /// another.
  private func firstFailure() -> PoolOperation? {
    let failed = operations.filter { $0.outcome?.ending != .succeeded }
    let causes = failed.filter { $0.outcome?.ending != .skipped }
    return (causes.isEmpty ? failed : causes).min { $0.finishTime < $1.finishTime }
  }
}

extension PoolOperation {
  fileprivate var finishTime: Duration { outcome?.finished ?? .seconds(Int64.max) }
}

/// Why a group has failed.
struct MemberFailure: Error, CustomStringConvertible {
  /// Names the member, with its outcome.
  let description: String

  init(_ member: PoolOperation) {
    let reason = member.outcome?.failure?.description ?? "it did not end"
    description = "its operation '\(member.label)' did not succeed: \(reason)"
  }
}

import PoolModel

// Judges a worker's report by the operations that the worker was given.

extension Dispatcher {
  /// An operation that a worker has; the first of its queue executes, or begins next.
  struct Reported {
    let handle: OperationHandle
    let worker: WorkerHandle
    let isFirst: Bool
    /// Whether the report is its answer.
    let hasAnswered: Bool
  }

  /// What a report turned out to be.
  enum Judgement {
    /// The report is about this operation of the worker's queue.
    case accepted(Reported)
    case stale
    case violation(String)

    var reception: Reception {
      switch self {
      case .accepted: .accepted
      case .stale: .stale
      case .violation(let text): .violation(text)
      }
    }
  }

  /// Judges a report; `mayStop` says whether the worker may stop its operation although no
  /// cancellation is known here.
  @inline(__always)
  func judge(
    _ report: WorkerReport,
    _ reference: DispatchReference,
    by worker: WorkerHandle,
    _ mayStop: Bool,
    _ records: borrowing OperationTable
  ) -> Judgement {
    guard let first = assignments[worker].queue.first, first.isSame(as: reference) else {
      return judgeOther(report, reference, by: worker, records)
    }
    let handle = reference.operation.handle
    let isExecuting = records[handle].state.isExecuting
    switch report {
    case .executing, .remarked: break
    case .answered(.cancelled, _, _, _):
      guard mayStop || records[handle].state.isCancelled else {
        return .violation("a 'cancelled' without a request")
      }
    case .answered:
      guard isExecuting else {
        return .violation("an answer to an operation that it never reported as executing")
      }
    case .returned:
      guard isRecalled(reference, from: worker) else { return unaskedReturn }
      if isExecuting { return .violation("a 'returned' for what it executes") }
    case .unsent: if isExecuting { return .stale }
    }
    return accepted(report, handle, by: worker, isFirst: true)
  }

  @inline(__always)
  private func accepted(
    _ report: WorkerReport,
    _ handle: OperationHandle,
    by worker: WorkerHandle,
    isFirst: Bool
  ) -> Judgement {
    let hasAnswered = report.isAnswer
    return .accepted(
      Reported(handle: handle, worker: worker, isFirst: isFirst, hasAnswered: hasAnswered)
    )
  }

  private func isRecalled(_ reference: DispatchReference, from worker: WorkerHandle) -> Bool {
    reference.dispatch.rawValue <= assignments[worker].recalledUpTo.rawValue
  }

  private var unaskedReturn: Judgement { .violation("a 'returned' without a request") }

  /// Judges a report that is not about the first of the worker's queue.
  private func judgeOther(
    _ report: WorkerReport,
    _ reference: DispatchReference,
    by worker: WorkerHandle,
    _ records: borrowing OperationTable
  ) -> Judgement {
    let isGiven = reference.dispatch.rawValue > 0 && reference.dispatch.rawValue < nextNumber
    guard let known = assignments[worker].queue.assignment(reference.dispatch) else {
      return isGiven || report.isOwn
        ? .stale : .violation("\(report.name) for a dispatch that was never made")
    }
    let isFirst = known.number == assignments[worker].queue.first?.number
    let handle = known.handle
    switch report {
    case .unsent: if known.reference != reference { return .stale }
    case .returned where !isRecalled(reference, from: worker): return unaskedReturn
    case .returned where known.reference == reference: break
    case .answered(.cancelled, _, _, _)
    where known.reference == reference && records[handle].state.isCancelled: break
    case _ where isFirst || report == .returned:
      return .violation("\(report.name) with an operation that does not belong to its dispatch")
    default: return .violation("\(report.name) out of the order of dispatch")
    }
    return accepted(report, handle, by: worker, isFirst: false)
  }
}

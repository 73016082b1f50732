import PoolModel
import PoolWire

/// The conclusion of an operation.
enum Conclusion: Sendable {
  /// It succeeded with this result: the most common case, and cheaper to pass on than a message.
  case result([UInt8])
  /// With this answer; indirect, because a large case would make the common one costly to
  /// release.
  indirect case answer(WorkerMessage)

  /// A copy with the resources that the execution used, and the microseconds that it took.
  func adding(
    _ usage: PoolResourceUsage?,
    _ elapsed: Int64,
    to reference: DispatchReference
  ) -> Self {
    switch self {
    case .result(let result):
      .answer(.finished(reference, Answer(result: result, usage: usage, elapsed: elapsed)))
    case .answer(.finished(_, let answer)):
      .answer(.finished(reference, answer.adding(usage, elapsed)))
    case .answer(.cancelled(_, let answer, let step)):
      .answer(.cancelled(reference, answer.adding(usage, elapsed), step: step))
    case .answer: self
    }
  }
}

package import PoolCore
public import PoolModel
import PoolWire

/// How an operation ended: the one final answer.
public struct PoolOutcome: Sendable {
  /// Which of the six ways it was.
  public let ending: PoolEnding

  /// Why it did not succeed; nil if it did.
  public let failure: PoolFailure?

  /// How many executions had begun; 0 where it never executed.
  public let attempts: Int

  /// The worker of the last execution.
  public let worker: WorkerID?

  /// When it became ready, when its last execution began, and when it ended: seconds of the
  /// queue's life; nil for what did not happen.
  public let queued: Double?
  /// When its last execution began, in seconds of the queue's life.
  public let started: Double?
  /// When it ended, in seconds of the queue's life.
  public let finished: Double

  /// What its last execution consumed, where the worker says so.
  public let usage: PoolResourceUsage?

  /// The result as JSON; nil where there is none.
  public let result: [UInt8]?

  init(_ settlement: Settlement, _ report: AttemptReport) {
    ending = settlement.ending
    failure = PoolFailure(settlement, report)
    attempts = settlement.attempt
    worker = settlement.worker
    queued = settlement.queued?.seconds
    started = settlement.started?.seconds
    finished = settlement.finished.seconds
    usage = report.answer?.usage
    result = report.answer?.result
  }
}

/// Why an operation did not succeed.
public struct PoolFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What the reason is, in one word: `exit`, `signal`, `error`, `spawn`, `timeout`, `cancelled`,
  /// `workerDied`, `violation`, `dependency`, `noWorker` or `unservedKind`.
  public let cause: String

  /// One sentence for people.
  public let description: String

  /// The type of the error that the operation threw, if it did.
  public let type: String?

  /// The exit code or the signal of a command.
  public let code: Int32?

  package init?(_ settlement: Settlement, _ report: AttemptReport) {
    guard settlement.ending != .succeeded else { return nil }
    let said = settlement.cause == .answer ? report.answer?.failure : nil
    cause = said?.cause.rawValue ?? Self.word(settlement.cause)
    description = said?.message ?? Self.sentence(settlement, report)
    type = said?.type
    code = said?.code
  }

  private static func word(_ cause: EndingCause) -> String {
    switch cause {
    case .answer: "error"
    case .request: "cancelled"
    case .timeout, .workerDied, .violation, .dependency, .noWorker, .unservedKind:
      String(describing: cause)
    }
  }

  private static func sentence(_ settlement: Settlement, _ report: AttemptReport) -> String {
    switch settlement.cause {
    case .answer: "it reported failure"
    case .timeout: "it executed for longer than its timeout"
    case .request: "it was cancelled" + (report.rung.map { ", and ended on \($0)" } ?? "")
    case .workerDied, .violation: report.death?.description ?? "its worker is gone"
    case .dependency: "a dependency did not end as it required"
    case .noWorker: "no worker that serves it could be kept alive"
    case .unservedKind: "no worker serves its kind"
    }
  }
}

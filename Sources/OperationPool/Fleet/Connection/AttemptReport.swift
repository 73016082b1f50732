package import PoolContents
import PoolModel
import PoolSystem
package import PoolWire

/// The data of one attempt beyond its ending.
///
/// One word in size, because each finished operation stores one. Most attempts have only a result.
package struct AttemptReport: Sendable {
  private enum Content {
    case nothing
    /// A result and nothing else.
    case result([UInt8])
    case other(Account)
  }

  private let content: Content

  /// The start of the text that an operation has printed in a worker.
  package struct Printed: Sendable {
    let operation: OperationID
    let text: [UInt8]
    /// Number of bytes that it has printed, with those that are not in the text.
    let byteCount: Int64
  }

  /// All data that an attempt may have.
  private final class Account: Sendable {
    let answer: Answer?
    let step: String?
    let note: String?
    let cause: PoolFailureCause?
    let standardOutput: OutputContent
    let standardError: OutputContent
    let death: PoolWorkerDeath?
    let incidents: OperationIncidents
    let printed: Printed?

    init(
      _ answer: Answer?,
      _ step: String?,
      _ note: String?,
      _ cause: PoolFailureCause?,
      _ standardOutput: OutputContent,
      _ standardError: OutputContent,
      _ death: PoolWorkerDeath?,
      _ incidents: OperationIncidents,
      _ printed: Printed?
    ) {
      self.answer = answer
      self.step = step
      self.note = note
      self.cause = cause
      self.standardOutput = standardOutput
      self.standardError = standardError
      self.death = death
      self.incidents = incidents
      self.printed = printed
    }

    /// Whether it has no output.
    var isSilent: Bool { standardOutput.isEmpty && standardError.isEmpty }

    /// Not inlined, so that most answers, which have no failure, skip its code.
    @inline(never) var failureCause: Failure.Cause? { answer?.failure?.cause }

    /// Not inlined, for the same reason.
    @inline(never) var elapsed: Int64? {
      guard let microseconds = answer?.elapsed else { return nil }
      return microseconds > .max / 1_000 ? .max : microseconds * 1_000
    }

    /// Not inlined, for the same reason.
    @inline(never) var retryReason: RetryReason { answer?.failure?.retryReason ?? .error }
  }

  private init(_ content: Content) {
    self.content = content
  }

  /// The report of an attempt that was answered with only a result.
  init(result: [UInt8]) {
    content = .result(result)
  }

  package init(
    answer: Answer? = nil,
    step: String? = nil,
    note: String? = nil,
    cause: PoolFailureCause? = nil,
    standardOutput: OutputContent = .empty,
    standardError: OutputContent = .empty,
    death: PoolWorkerDeath? = nil,
    incidents: OperationIncidents = OperationIncidents(),
    printed: Printed? = nil
  ) {
    content = .other(
      Account(answer, step, note, cause, standardOutput, standardError, death, incidents, printed)
    )
  }

  private var account: Account? {
    guard case .other(let account) = content else { return nil }
    return account
  }

  /// The worker's answer, if there was one.
  package var answer: Answer? {
    switch content {
    case .nothing: nil
    case .result(let result): Answer(result: result)
    case .other(let account): account.answer
    }
  }

  /// Only the cause of the failure that the worker has reported, asked for each answer.
  ///
  /// Reading the whole failure costs a hundred instructions to release it, even if there is none.
  var failureCause: Failure.Cause? {
    guard case .other(let account) = content else { return nil }
    return account.failureCause
  }
  /// Nanoseconds that the execution took; nil if the worker has not measured them.
  var elapsed: Int64? {
    guard case .other(let account) = content else { return nil }
    return account.elapsed
  }
  /// Why it failed, as far as a retry depends on it; of no meaning if it did not.
  var retryReason: RetryReason {
    guard case .other(let account) = content else { return .error }
    return account.retryReason
  }
  /// The step of the teardown sequence that ended the operation, if any.
  package var step: String? { account?.step }
  /// That step, if it was the signal which ended the worker.
  package var stepReached: String? {
    guard step == nil, case .signaled(let signal) = death?.status else { return step }
    return ProcessSignal(signal).description
  }
  /// The action of that step; nil if a foreign worker names an unknown step.
  var actionReached: PoolTeardownSequence.Action? {
    guard let name = stepReached else { return nil }
    return name == "message" ? .message : ProcessSignal(named: name).map { .signal($0.number) }
  }
  /// A sentence that says why the operation was not executed.
  package var note: String? { account?.note }
  /// Why the operation failed, if neither answer nor settlement says it; comes with a note.
  var cause: PoolFailureCause? { account?.cause }
  package var standardOutput: OutputContent { account?.standardOutput ?? .empty }
  package var standardError: OutputContent { account?.standardError ?? .empty }
  /// How the worker died, if it did.
  package var death: PoolWorkerDeath? { account?.death }
  /// Deaths and teardown steps of the attempt; of all attempts, once the operation has settled.
  package var incidents: OperationIncidents { account?.incidents ?? OperationIncidents() }

  /// The text that an operation has printed in a worker; not always the operation of this report.
  var printed: Printed? { account?.printed }

  /// Whether it is an answer with only a result.
  var isPlainAnswer: Bool {
    if case .result = content { return true }
    return false
  }

  /// The report of an attempt without an answer.
  package static let empty = AttemptReport(.nothing)

  /// The report of an attempt whose output is lost with its worker.
  static let lostOutput = AttemptReport(
    note: "its output is lost: its worker ended before the output was fetched",
    cause: .workerDied
  )

  /// Whether the output is lost with the worker.
  var isLost: Bool {
    guard case .other(let account) = content else { return false }
    return account.cause == .workerDied
  }

  /// Whether it has an output.
  var hasOutput: Bool { account?.isSilent == false }

  /// A copy that holds no file open, and no more of each output than its limit.
  func keeping(_ limits: OutputLimits) -> AttemptReport {
    copy(
      standardOutput.inMemory(upTo: limits.output.byteCount),
      standardError.inMemory(upTo: limits.error.byteCount),
      incidents
    )
  }

  /// A copy with the incidents of all attempts.
  func adding(_ incidents: OperationIncidents) -> AttemptReport {
    copy(standardOutput, standardError, incidents)
  }

  private func copy(
    _ standardOutput: OutputContent,
    _ standardError: OutputContent,
    _ incidents: OperationIncidents
  ) -> AttemptReport {
    AttemptReport(
      answer: answer,
      step: step,
      note: note,
      cause: cause,
      standardOutput: standardOutput,
      standardError: standardError,
      death: death,
      incidents: incidents,
      printed: printed
    )
  }
}

extension Failure {
  fileprivate var retryReason: RetryReason {
    switch cause {
    case .exit: RetryReason(.exit, exitCode: code ?? 0)
    case .signal: RetryReason(.signal)
    case .error, .outputLimit: .error
    case .spawn: .spawn
    case .timeout: RetryReason(.timeout)
    }
  }
}

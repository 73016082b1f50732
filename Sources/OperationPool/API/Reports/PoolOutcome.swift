public import Foundation
import OperationWorker
package import PoolContents
package import PoolCore
public import PoolModel
import PoolWire

/// How an operation ended: the one final answer.
public struct PoolOutcome: Sendable, CustomStringConvertible {
  /// The machine's decision.
  package let settlement: Settlement
  /// The worker's report, with the loop's observations.
  package let report: AttemptReport
  let canceller: PoolCancellation.Origin?

  package init(_ settlement: Settlement, _ report: AttemptReport) {
    self.init(settlement, report, cancelledBy: nil)
  }

  init(
    _ settlement: Settlement,
    _ report: AttemptReport,
    cancelledBy canceller: PoolCancellation.Origin?
  ) {
    self.settlement = settlement
    self.report = report
    self.canceller = canceller
  }

  /// The ending: one of six.
  public var ending: PoolEnding { settlement.ending }

  /// Why it did not succeed; nil if it did.
  public var failure: PoolFailure? { PoolFailure(self) }

  /// The ending, and the failure if there is one: one line for people.
  public var description: String { failure.map { "\(ending): \($0)" } ?? "\(ending)" }

  /// Number of executions that had begun; 0 if it never executed.
  public var attempts: Int { settlement.attempt }

  /// The worker of the last execution.
  public var worker: WorkerID? { settlement.worker }

  /// When it became ready, as the time since the process first used a pool; nil if it never did.
  public var queued: Duration? { settlement.queued?.duration }

  /// When its last execution began, as the time since the process first used a pool; nil if none
  /// did.
  ///
  /// From here to ``finished`` is the time that the worker has measured, where it did: for
  /// commands, and for kinds of this package from a millisecond on. Else they are the times at
  /// which the pool heard of both.
  public var started: Duration? { settlement.started?.duration }

  /// When it ended, as the time since the process first used a pool.
  public var finished: Duration { settlement.finished.duration }

  /// The resources that its last execution used: of a command, and of a kind served with
  /// `measuringUsage()`.
  public var usage: PoolResourceUsage? { report.answer?.usage }

  /// The workers that died while they executed it or were about to, in all attempts.
  public var workerDeaths: [PoolWorkerDeath] { report.incidents.deaths }

  /// The teardown steps that were taken, in all attempts.
  ///
  /// If a worker takes the steps for its command, these are the steps that it reports; if it does
  /// not report them, only ``PoolCancellation/step`` has the step that ended the command.
  public var stepsTaken: [PoolTeardownStepTaken] { report.incidents.stepsTaken }

  /// The result as JSON; nil if there is none.
  ///
  /// A large result may have been received as bytes; then each access encodes it as JSON, which may
  /// take several times their memory. Prefer ``PoolTypedOperation/value`` if there is one.
  public var result: [UInt8]? {
    // A packed value was checked when it was received.
    packedResult.flatMap { try? PackedValue.json($0) }
  }

  /// The result as a value of a type.
  ///
  /// For outcomes without their operation's type, such as those of a queue's transitions and of a
  /// ``PoolInvocationOperation``. Decodes the result each time. Throws the ``failure`` if there is
  /// one, and ``PoolError`` if the result is not of this type.
  public func value<Value: Decodable>(as type: Value.Type) throws -> Value {
    if let failure { throw failure }
    return try decodedResult(of: "the operation")
  }

  /// The result of a success; the name is for the error.
  func decodedResult<Value: Decodable>(of name: String) throws(PoolError) -> Value {
    do {
      return try PayloadCoding.decode(Value.self, from: packedResult ?? [])
    } catch {
      throw PoolError(.notSuccessful, "the result of \(name) is not \(Value.self): \(error)")
    }
  }

  /// The result as received: JSON or packed.
  var packedResult: [UInt8]? { report.answer?.result }

  /// The result, to be read in pieces.
  package var resultContent: ResultContent? { packedResult.map { ResultContent($0) } }

  /// What a command wrote to its standard output, up to the limit of its ``PoolCommandOutput``.
  ///
  /// Only the first bytes if ``standardOutputExtent`` says so.
  public var standardOutput: [UInt8] { report.standardOutput.kept }

  /// What a command wrote to its standard error, up to the limit of its ``PoolCommandOutput``.
  ///
  /// Only the first bytes if ``standardErrorExtent`` says so.
  public var standardError: [UInt8] { report.standardError.kept }

  /// How much a command wrote to its standard output, and how much of it is in
  /// ``standardOutput``.
  public var standardOutputExtent: PoolOutputExtent { PoolOutputExtent(report.standardOutput) }

  /// How much a command wrote to its standard error, and how much of it is in ``standardError``.
  public var standardErrorExtent: PoolOutputExtent { PoolOutputExtent(report.standardError) }

  /// The first bytes that the operation printed in its worker during its last attempt, at most 64
  /// KiB: standard output and standard error in the order of writing.
  ///
  /// Empty for commands, which have ``standardOutput`` and ``standardError``, and for operations
  /// that execute in this process and print to its streams.
  public var printed: [UInt8] { ownPrinted?.text ?? [] }

  /// How much the operation printed in its last attempt, and how much of it is in ``printed``.
  public var printedExtent: PoolOutputExtent {
    PoolOutputExtent(byteCount: ownPrinted?.byteCount ?? 0, keptByteCount: printed.count)
  }

  private var ownPrinted: AttemptReport.Printed? {
    report.printed.flatMap { $0.operation == settlement.operation ? $0 : nil }
  }
}

/// Why an operation did not succeed.
public struct PoolFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Why it did not succeed.
  public let cause: PoolFailureCause

  /// The operation's name in messages: its name, or its kind and its number; nil in an outcome.
  public let operation: String?

  /// One sentence for people, of 4 KiB at most.
  public let sentence: String

  /// The type of the error that the operation threw, if it threw one.
  public let type: String?

  /// That error as JSON, if it is `Encodable` and has at most 64 KiB; see ``error(as:)``.
  public let json: [UInt8]?

  /// Whether the error has the type that the operation declares.
  let isDeclared: Bool

  /// The exit code or the signal of a command.
  public let code: Int32?

  /// The error that the operation threw, decoded as a type; nil if its JSON has another shape.
  ///
  /// For operations that declare no type of error, such as ``PoolInvocationOperation``; the others
  /// throw the error itself.
  public func error<Failure: Decodable & Error>(as type: Failure.Type) -> Failure? {
    json.flatMap { try? PayloadCoding.decode(type, from: $0) }
  }

  fileprivate init?(_ outcome: PoolOutcome) {
    let (settlement, report) = (outcome.settlement, outcome.report)
    guard settlement.ending != .succeeded else { return nil }
    let said = settlement.cause == .answer ? report.answer?.failure : nil
    cause =
      said.map { PoolFailureCause($0.cause) } ?? report.cause ?? PoolFailureCause(settlement.cause)
    let message = said.flatMap { $0.message.isEmpty ? nil : $0.message }
    operation = nil
    sentence = (message ?? Self.sentence(settlement, report)).bounded(to: Failure.messageLimit)
    type = said?.type
    code = said?.code
    json = said?.value
    isDeclared = said?.isDeclared ?? false
  }

  private init(_ other: Self, of operation: String?, _ sentence: String) {
    cause = other.cause
    self.operation = operation
    self.sentence = sentence
    type = other.type
    code = other.code
    json = other.json
    isDeclared = other.isDeclared
  }

  /// A copy with a remark appended to its sentence.
  func remarking(_ remark: String) -> Self {
    Self(self, of: operation, "\(sentence) (\(remark.bounded(to: 1_024)))")
  }

  /// A copy with the operation's label before its sentence.
  func naming(_ operation: String) -> Self { Self(self, of: operation, sentence) }

  /// The sentence, after the operation's name if there is one; thrown failures have one.
  public var description: String { operation.map { "'\($0)': \(sentence)" } ?? sentence }

  private static func sentence(_ settlement: Settlement, _ report: AttemptReport) -> String {
    switch settlement.cause {
    case .answer: report.note ?? sentence(report.answer?.failure)
    case .timeout: "it executed for longer than its timeout"
    case .request: "it was cancelled" + (report.stepReached.map { ", and ended on \($0)" } ?? "")
    case .workerDied, .violation:
      report.note ?? report.death?.description ?? "its worker is gone"
    case .mayHaveBegun: "it may have begun: " + (report.death?.description ?? "its link ended")
    case .quarantined: quarantineSentence(report.incidents.deaths)
    case .dependency: report.note ?? "a dependency did not end as it required"
    case .member: report.note ?? "a member did not succeed"
    case .noWorker: report.note ?? "no worker that serves it could be kept alive"
    case .unservedKind: report.note ?? "no worker serves its kind"
    case .condition: report.note ?? "a condition does not hold"
    case .input: report.note ?? "its input cannot be made"
    }
  }

  /// A sentence for a worker's report that gives none.
  private static func sentence(_ failure: Failure?) -> String {
    switch (failure?.cause, failure?.code) {
    case (.exit, let code?): "it exited with code \(code)"
    case (.signal, let signal?): "it was ended by signal \(signal)"
    case (.spawn, _): "it could not be started"
    default: "it reported failure"
    }
  }

  private static func quarantineSentence(_ deaths: [PoolWorkerDeath]) -> String {
    let evidence = deaths.map(\.description).joined(separator: "; ")
    return "\(deaths.count) workers died while they executed it or were about to: \(evidence)"
  }
}

extension PoolFailure: LocalizedError {
  /// The description, so that `localizedDescription` is it, too.
  public var errorDescription: String? { description }
}

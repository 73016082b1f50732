// The ending of an execution, and its outputs.

package import PoolModel

/// The one answer to an `execute`.
///
/// Rare parts are behind one reference, because answers are copied on the hot path of both sides.
package struct Answer: Hashable, Sendable {
  /// JSON or a packed value, checked; nil without a result, or on failure.
  package let result: [UInt8]?
  private let rest: Rest?

  private final class Rest: Sendable {
    let failure: Failure?
    let usage: PoolResourceUsage?
    let standardOutput: OutputReference?
    let standardError: OutputReference?
    let stepsTaken: [TeardownStepTaken]

    init(
      _ failure: Failure?,
      _ usage: PoolResourceUsage?,
      _ standardOutput: OutputReference?,
      _ standardError: OutputReference?,
      _ stepsTaken: [TeardownStepTaken]
    ) {
      self.failure = failure
      self.usage = usage
      self.standardOutput = standardOutput
      self.standardError = standardError
      self.stepsTaken = stepsTaken
    }
  }

  package init(
    result: [UInt8]? = nil,
    failure: Failure? = nil,
    usage: PoolResourceUsage? = nil,
    standardOutput: OutputReference? = nil,
    standardError: OutputReference? = nil,
    stepsTaken: [TeardownStepTaken] = []
  ) {
    self.result = result
    let isPlain =
      failure == nil && usage == nil && standardOutput == nil && standardError == nil
      && stepsTaken.isEmpty
    rest = isPlain ? nil : Rest(failure, usage, standardOutput, standardError, stepsTaken)
  }

  /// An answer with only a result; skips the code that looks at the rest.
  package init(result: [UInt8]?) {
    self.result = result
    rest = nil
  }

  /// Whether there is only a result.
  package var isPlain: Bool { rest == nil }

  /// Nil on success.
  package var failure: Failure? { rest?.failure }
  package var usage: PoolResourceUsage? { rest?.usage }
  package var standardOutput: OutputReference? { rest?.standardOutput }
  package var standardError: OutputReference? { rest?.standardError }
  /// The steps that the worker took to end a process group, in order.
  package var stepsTaken: [TeardownStepTaken] { rest?.stepsTaken ?? [] }

  /// A copy with the execution's resource usage, unless the answer already has one.
  package func adding(_ usage: PoolResourceUsage) -> Answer {
    Answer(
      result: result,
      failure: failure,
      usage: self.usage ?? usage,
      standardOutput: standardOutput,
      standardError: standardError,
      stepsTaken: stepsTaken
    )
  }

  /// A copy that fails for these additional reasons; the same answer if there are none.
  package func failing(because reasons: [String]) -> Answer {
    guard !reasons.isEmpty else { return self }
    return Answer(
      failure: .joining(failure, reasons),
      usage: usage,
      standardOutput: standardOutput,
      standardError: standardError,
      stepsTaken: stepsTaken
    )
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.result == right.result && left.failure == right.failure && left.usage == right.usage
      && left.standardOutput == right.standardOutput && left.standardError == right.standardError
      && left.stepsTaken == right.stepsTaken
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(result)
    hasher.combine(failure)
    hasher.combine(usage)
    hasher.combine(standardOutput)
    hasher.combine(standardError)
    hasher.combine(stepsTaken)
  }
}

/// Why an execution failed.
package struct Failure: Hashable, Sendable {
  /// The kind of failure.
  package enum Cause: String, Hashable, Sendable, CaseIterable {
    /// The command exited with a code other than 0.
    case exit
    /// A signal ended the command.
    case signal
    /// The operation threw an error.
    case error
    /// The command could not be started.
    case spawn
  }

  package var cause: Cause
  /// One sentence for people.
  package var message: String
  /// The type of a thrown error.
  package var type: String?
  /// The exit code or the signal.
  package var code: Int32?
  /// A thrown error itself, as JSON, which was checked.
  package var value: [UInt8]?
  /// Whether the thrown error has the type that the operation declares.
  package var isDeclared: Bool

  package init(
    cause: Cause,
    message: String,
    type: String? = nil,
    code: Int32? = nil,
    value: [UInt8]? = nil,
    isDeclared: Bool = false
  ) {
    self.cause = cause
    self.message = message
    self.type = type
    self.code = code
    self.value = value
    self.isDeclared = isDeclared
  }

  /// A failure with these further reasons; nil if there is neither a failure nor a reason.
  package static func joining(_ failure: Self?, _ reasons: [String]) -> Self? {
    guard !reasons.isEmpty else { return failure }
    var joint = failure ?? Self(cause: .error, message: "")
    joint.message = (joint.message.isEmpty ? reasons : [joint.message] + reasons)
      .joined(separator: "; ")
    return joint
  }
}

extension Failure {
  /// The longest sentence that is kept, in bytes: 4 KiB.
  package static let messageLimit = 4 << 10
  /// The longest name of a type that is kept, in bytes: 1 KiB.
  package static let typeLimit = 1 << 10
  /// The largest value that is kept, in bytes: 64 KiB.
  package static let valueLimit = 64 << 10
  /// How deep a value may nest: it is within the object `error`.
  package static let valueDepthLimit = JSONScanner.depthLimit - 1

  /// Truncates texts that are over their limits: a worker may send as much as a frame holds.
  package mutating func boundTexts() {
    message = message.bounded(to: Self.messageLimit)
    type = type?.bounded(to: Self.typeLimit)
  }
}

extension String {
  /// The text, or its beginning with an ellipsis if it has more bytes than the limit.
  package func bounded(to limit: Int) -> String {
    guard utf8.count > limit else { return self }
    // The view of scalars rounds down to the start of a scalar.
    let end = utf8.index(startIndex, offsetBy: max(limit - "…".utf8.count, 0))
    return String(unicodeScalars[..<end]) + "…"
  }
}

/// The place of an execution's output.
package enum OutputReference: Hashable, Sendable {
  /// All of it, in this message.
  case inline([UInt8])
  /// In an open file of the worker, under this descriptor number, from its start.
  case file(descriptor: Int32, byteCount: Int64)
}

/// A step that a worker took to end an operation.
package struct TeardownStepTaken: Hashable, Sendable {
  package var action: PoolTeardownSequence.Action
  /// Microseconds since the worker first received a `cancel` for it.
  package var microseconds: Int64

  package init(_ action: PoolTeardownSequence.Action, after microseconds: Int64) {
    self.action = action
    self.microseconds = microseconds
  }
}

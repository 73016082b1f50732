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
    let elapsed: Int64?
    let standardOutput: OutputReference?
    let standardError: OutputReference?
    let written: WrittenCounts
    let stepsTaken: [TeardownStepTaken]

    init(
      _ failure: Failure?,
      _ usage: PoolResourceUsage?,
      _ elapsed: Int64?,
      _ standardOutput: OutputReference?,
      _ standardError: OutputReference?,
      _ written: WrittenCounts,
      _ stepsTaken: [TeardownStepTaken]
    ) {
      self.failure = failure
      self.usage = usage
      self.elapsed = elapsed
      self.standardOutput = standardOutput
      self.standardError = standardError
      self.written = written
      self.stepsTaken = stepsTaken
    }
  }

  package init(
    result: [UInt8]? = nil,
    failure: Failure? = nil,
    usage: PoolResourceUsage? = nil,
    elapsed: Int64? = nil,
    standardOutput: OutputReference? = nil,
    standardError: OutputReference? = nil,
    written: WrittenCounts = WrittenCounts(),
    stepsTaken: [TeardownStepTaken] = []
  ) {
    self.result = result
    let isPlain =
      failure == nil && usage == nil && elapsed == nil && standardOutput == nil
      && standardError == nil && written == WrittenCounts() && stepsTaken.isEmpty
    rest =
      isPlain
      ? nil : Rest(failure, usage, elapsed, standardOutput, standardError, written, stepsTaken)
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
  /// Microseconds that the execution took, as its worker has measured them.
  package var elapsed: Int64? { rest?.elapsed }
  package var standardOutput: OutputReference? { rest?.standardOutput }
  package var standardError: OutputReference? { rest?.standardError }
  /// How much was written to outputs of which only the first bytes were kept.
  package var written: WrittenCounts { rest?.written ?? WrittenCounts() }
  /// The steps that the worker took to end a process group, in order.
  package var stepsTaken: [TeardownStepTaken] { rest?.stepsTaken ?? [] }

  /// A copy with what the execution used and took, unless the answer already says so.
  package func adding(_ usage: PoolResourceUsage?, _ elapsed: Int64) -> Answer {
    copy(result, failure, self.usage ?? usage, self.elapsed ?? elapsed)
  }

  /// A copy that fails for these additional reasons; the same answer if there are none.
  package func failing(because reasons: [String]) -> Answer {
    reasons.isEmpty ? self : copy(nil, .joining(failure, reasons), usage, elapsed)
  }

  /// A copy that fails because outputs have too many bytes; the same answer if there are no such
  /// reasons.
  package func failing(becauseOfLimits reasons: [String]) -> Answer {
    reasons.isEmpty ? self : copy(nil, .overLimit(failure, reasons), usage, elapsed)
  }

  private func copy(
    _ result: [UInt8]?,
    _ failure: Failure?,
    _ usage: PoolResourceUsage?,
    _ elapsed: Int64?
  ) -> Answer {
    Answer(
      result: result,
      failure: failure,
      usage: usage,
      elapsed: elapsed,
      standardOutput: standardOutput,
      standardError: standardError,
      written: written,
      stepsTaken: stepsTaken
    )
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.result == right.result && left.failure == right.failure && left.usage == right.usage
      && left.elapsed == right.elapsed
      && left.standardOutput == right.standardOutput && left.standardError == right.standardError
      && left.written == right.written && left.stepsTaken == right.stepsTaken
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(result)
    hasher.combine(failure)
    hasher.combine(usage)
    hasher.combine(elapsed)
    hasher.combine(standardOutput)
    hasher.combine(standardError)
    hasher.combine(written)
    hasher.combine(stepsTaken)
  }
}

/// The place of an execution's output.
package enum OutputReference: Hashable, Sendable {
  /// All of it, in this message.
  case inline([UInt8])
  /// In an open file of the worker, under this descriptor number, from its start.
  case file(descriptor: Int32, byteCount: Int64)
}

/// Numbers of bytes that were written to outputs of which only the first bytes were kept; nil for
/// outputs that are whole.
package struct WrittenCounts: Hashable, Sendable {
  package var output: Int64?
  package var error: Int64?

  package init(output: Int64? = nil, error: Int64? = nil) {
    (self.output, self.error) = (output, error)
  }
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

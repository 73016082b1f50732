package import PoolModel

/// How an attempt, an operation or a group has ended.
///
/// It is an object, since it is handed on to every reader, and is never changed.
package final class EndRecord: Sendable {
  /// An execution of an earlier run, whose outcome counts.
  package struct Earlier: Hashable, Sendable {
    /// Nanoseconds from 1970 to its start, if they were kept.
    package var start: Int64?
    /// Nanoseconds that it took, if they were kept.
    package var duration: Int64?

    package init(start: Int64?, duration: Int64?) {
      (self.start, self.duration) = (start, duration)
    }
  }

  /// What began a row of operations that are skipped.
  package struct Root: Hashable, Sendable {
    /// Its number.
    package var number: Int
    /// How it ended.
    package var ending: PoolEnding?

    package init(_ number: Int, _ ending: PoolEnding?) {
      (self.number, self.ending) = (number, ending)
    }
  }

  /// The number of the operation; groups are numbered behind all operations.
  package let number: Int
  /// Number of members; nil for an operation.
  package let memberCount: Int?
  package let ending: PoolEnding
  /// Why it did not succeed; nil after success.
  package let cause: PoolFailureCause?
  /// The operation, or group, because of which it was skipped.
  package let root: Root?
  /// The exit code or the signal of a command; at most one of them.
  package let exit: Int32?
  package let signal: Int32?
  /// Number of executions that began.
  package let attempt: Int
  /// The worker of the last execution.
  package let worker: WorkerID?
  /// Times of the run; nil if it did not happen.
  package let queued: Instant?
  package let started: Instant?
  package let finished: Instant?
  package let usage: PoolResourceUsage?
  /// Number of bytes of its outputs.
  package let outputByteCount: Int64
  package let errorByteCount: Int64
  /// The teardown steps that were taken.
  package let stepsTaken: [PoolTeardownStepTaken]
  /// The type of the error that a kind of the user's own has thrown, and its code, if it has one.
  package let errorType: String?
  package let errorCode: Int32?
  /// One sentence for people.
  package let message: String?
  /// Whether the outcome is that of an earlier run.
  package let isResumed: Bool
  package let earlier: Earlier?

  package init(
    number: Int,
    memberCount: Int? = nil,
    ending: PoolEnding,
    cause: PoolFailureCause? = nil,
    root: Root? = nil,
    exit: Int32? = nil,
    signal: Int32? = nil,
    attempt: Int = 0,
    worker: WorkerID? = nil,
    queued: Instant? = nil,
    started: Instant? = nil,
    finished: Instant? = nil,
    usage: PoolResourceUsage? = nil,
    outputByteCount: Int64 = 0,
    errorByteCount: Int64 = 0,
    stepsTaken: [PoolTeardownStepTaken] = [],
    errorType: String? = nil,
    errorCode: Int32? = nil,
    message: String? = nil,
    isResumed: Bool = false,
    earlier: Earlier? = nil
  ) {
    (self.number, self.memberCount) = (number, memberCount)
    (self.ending, self.cause, self.root) = (ending, cause, root)
    (self.exit, self.signal) = (exit, signal)
    (self.attempt, self.worker) = (attempt, worker)
    (self.queued, self.started, self.finished) = (queued, started, finished)
    self.usage = usage
    (self.outputByteCount, self.errorByteCount) = (outputByteCount, errorByteCount)
    self.stepsTaken = stepsTaken
    (self.errorType, self.errorCode, self.message) = (errorType, errorCode, message)
    (self.isResumed, self.earlier) = (isResumed, earlier)
  }
}

extension EndRecord {
  /// Whether it was skipped because everything succeeded, as an operation with `"when": "failed"`
  /// is: it was not needed.
  package var isUnneeded: Bool { ending == .skipped && root?.ending == .succeeded }

  /// Nanoseconds of the last execution; nil without one.
  package var executionTime: Int64? {
    if let earlier { return earlier.duration }
    guard let started, let finished else { return nil }
    return finished.nanoseconds - started.nanoseconds
  }

  /// Nanoseconds from 1970 to the start of the last execution, or to its end if it did not begin;
  /// the argument is the same of the run's start.
  package func start(inRunFrom runStart: Int64) -> Int64 {
    earlier?.start ?? runStart.saturatingSum((started ?? finished ?? .zero).nanoseconds)
  }
}

extension EndRecord {
  /// The record with texts that the closure returns for its own.
  func replacing(_ text: (String) -> String) -> EndRecord {
    guard message != nil || errorType != nil else { return self }
    return EndRecord(
      number: number,
      memberCount: memberCount,
      ending: ending,
      cause: cause,
      root: root,
      exit: exit,
      signal: signal,
      attempt: attempt,
      worker: worker,
      queued: queued,
      started: started,
      finished: finished,
      usage: usage,
      outputByteCount: outputByteCount,
      errorByteCount: errorByteCount,
      stepsTaken: stepsTaken,
      errorType: errorType.map(text),
      errorCode: errorCode,
      message: message.map(text),
      isResumed: isResumed,
      earlier: earlier
    )
  }
}

extension EndRecord: Hashable {
  package static func == (one: EndRecord, other: EndRecord) -> Bool {
    (one.number, one.memberCount, one.ending, one.cause, one.root, one.exit)
      == (other.number, other.memberCount, other.ending, other.cause, other.root, other.exit)
      && (one.signal, one.attempt, one.worker, one.queued, one.started, one.finished)
        == (other.signal, other.attempt, other.worker, other.queued, other.started, other.finished)
      && (one.usage, one.outputByteCount, one.errorByteCount, one.stepsTaken, one.errorType)
        == (
          other.usage, other.outputByteCount, other.errorByteCount, other.stepsTaken,
          other.errorType
        )
      && (one.errorCode, one.message, one.isResumed, one.earlier)
        == (other.errorCode, other.message, other.isResumed, other.earlier)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(number)
    hasher.combine(ending)
    hasher.combine(attempt)
  }
}

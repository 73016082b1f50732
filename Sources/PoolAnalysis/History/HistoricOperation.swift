package import PoolEvents
package import PoolModel

/// An operation of a run, with all of its attempts.
package struct HistoricOperation: Sendable {
  /// What it is called, and what it needs.
  package var submitted: SubmittedRecord { _read { yield submission.record } }
  private let submission: Submission
  /// When it was submitted.
  package let submittedAt: Instant
  /// The attempts, in order.
  package private(set) var attempts: [HistoricAttempt] = []
  /// When it was first ready, where the run says it.
  package private(set) var ready: Instant?
  /// When it had its outcome.
  package private(set) var settled: Instant?
  /// Its outcome; nil where the run ended before.
  package private(set) var end: EndRecord?

  init(_ submitted: SubmittedRecord, at time: Instant) {
    (submission, submittedAt) = (Submission(submitted), time)
  }

  /// Its number, from 0.
  package var number: Int { submitted.number }
  /// Its identifier, UTF-8.
  package var id: [UInt8] { submitted.description.id }
  package var ending: PoolEnding? { end?.ending }

  /// Nanoseconds of all attempts together.
  package var executionTime: Int64 { attempts.reduce(0) { $0.saturatingSum($1.duration) } }

  /// An attempt that its worker could not begin after all begins again, with the same number.
  mutating func begin(_ start: AttemptStarted, _ workerPlace: Int) {
    let attempt = HistoricAttempt(start, workerPlace)
    if let last = attempts.last, last.number == start.attempt {
      attempts[attempts.count - 1] = attempt
    } else {
      attempts.append(attempt)
    }
  }

  mutating func endAttempt(_ end: EndRecord, _ workerPlace: Int, at finish: Instant) {
    if attempts.last?.number != end.attempt {
      guard let started = end.started, let worker = end.worker else { return }
      begin(
        AttemptStarted(number: end.number, attempt: end.attempt, worker: worker, time: started),
        workerPlace
      )
    }
    attempts[attempts.count - 1].finish(end, at: finish)
  }

  mutating func noteRetry(_ retry: RetryPlanned) {
    guard let place = attempts.lastIndex(where: { $0.number == retry.attempt }) else { return }
    attempts[place].retry = HistoricAttempt.Retry(reason: retry.reason, due: retry.due)
  }

  /// An outcome is told when the journal has it; dependents may have begun before.
  mutating func settle(_ end: EndRecord, at time: Instant) {
    self.end = end
    settled = min(attempts.last?.finished ?? time, time)
    ready = end.queued ?? ready
  }
}

/// The record with an operation's texts, so that a copy of the operation is no copy of these.
private final class Submission: Sendable {
  let record: SubmittedRecord

  init(_ record: SubmittedRecord) { self.record = record }
}

/// One execution of an operation.
package struct HistoricAttempt: Sendable {
  /// Why another attempt follows, and when at the earliest.
  package struct Retry: Hashable, Sendable {
    package let reason: String
    package let due: Instant?
  }

  /// Its number, from 1.
  package let number: Int
  package let worker: WorkerID
  /// The place of the worker among those of the history.
  package let workerPlace: Int
  package private(set) var started: Instant
  /// When it ended; nil where the run ended before.
  package private(set) var finished: Instant?
  package private(set) var ending: PoolEnding?
  package private(set) var cause: PoolFailureCause?
  /// One sentence for people; nil for a success.
  package private(set) var message: String?
  package private(set) var usage: PoolResourceUsage?
  /// The attempt that follows, if one was planned.
  package internal(set) var retry: Retry?

  init(_ start: AttemptStarted, _ workerPlace: Int) {
    (number, worker, started) = (start.attempt, start.worker, start.time)
    self.workerPlace = workerPlace
  }

  /// Nanoseconds that it took; 0 where its end is not known.
  package var duration: Int64 {
    finished.map { max($0.nanoseconds.saturatingDifference(started.nanoseconds), 0) } ?? 0
  }

  /// Nanoseconds of processor time; nil where the worker does not measure it.
  package var processorTime: Int64? {
    usage.map { $0.userMicroseconds.saturatingSum($0.systemMicroseconds).saturatingProduct(1_000) }
  }

  /// The worker has measured when it began, which may be before its start was told of.
  mutating func finish(_ end: EndRecord, at finish: Instant) {
    started = end.started ?? started
    finished = max(finish, started)
    (ending, cause, message, usage) = (end.ending, end.cause, end.message, end.usage)
  }
}

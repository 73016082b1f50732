package import OperationPool
package import PoolModel
import PoolWire

/// The report on an operation, or a group, that has ended.
package struct OperationReport: Sendable {
  /// UTF-8.
  package var id: [UInt8]
  /// The same in each line of the operation, also of later runs of its journal: its idempotency key.
  package var key: [UInt8]?
  /// The same in all runs of a journal.
  package var run: [UInt8]?
  /// For people, UTF-8.
  package var name: [UInt8]
  /// Its group, UTF-8.
  package var group: [UInt8]?
  /// Number of members; nil for an operation.
  package var memberCount: Int?
  /// The input of `opool map`.
  package var input: [UInt8]?
  /// The parts of that input, one for each source or column.
  package var inputs: [[UInt8]]?
  /// Its command as a shell would read it; nil for another kind.
  package var command: [UInt8]?
  package var ending: PoolEnding
  /// The cause, such as `exit` or `dependency:fetch`; nil after success.
  package var cause: String?
  /// The exit code or the signal of a command; at most one of them.
  package var exit: Int32?
  package var signal: Int32?
  /// Number of executions that began.
  package var attempt: Int
  /// The worker of the last execution.
  package var worker: WorkerID?
  /// Nanoseconds since the start of the run; nil if it did not happen.
  package var queued: Int64?
  package var started: Int64?
  package var finished: Int64?
  /// Nanoseconds from 1970 to the start of the run.
  package var runStart: Int64?
  package var usage: PoolResourceUsage?
  package var standardOutput: OutputExcerpt
  package var standardError: OutputExcerpt
  /// The teardown steps that were taken.
  package var stepsTaken: [PoolTeardownStepTaken] = []
  package var result: ResultContent?
  /// The type of the error that a kind of the user's own has thrown, and its code, if it has one.
  package var errorType: String?
  package var errorCode: Int32?
  /// One sentence for people.
  package var message: String?
  /// Whether the outcome is from the journal of an earlier run.
  package var isResumed = false

  /// The start and the duration of an execution of an earlier run, in nanoseconds, the start since
  /// 1970.
  var earlier: (start: Int64, duration: Int64)? {
    get { earlierStart.map { ($0, earlierDuration) } }
    set { (earlierStart, earlierDuration) = (newValue?.start, newValue?.duration ?? 0) }
  }
  private var earlierStart: Int64?
  private var earlierDuration: Int64 = 0

  /// Nanoseconds from 1970 to the start of the last execution, or to its end if it did not begin.
  var startTime: Int64 {
    earlierStart ?? (runStart ?? 0).saturatingSum(started ?? finished ?? 0)
  }

  /// Nanoseconds of the last execution; nil without one.
  package var executionTime: Int64? {
    if earlierStart != nil { return earlierDuration }
    guard let started, let finished else { return nil }
    return finished - started
  }

  package init(
    id: [UInt8],
    name: [UInt8]? = nil,
    group: [UInt8]? = nil,
    memberCount: Int? = nil,
    ending: PoolEnding,
    cause: String? = nil,
    exit: Int32? = nil,
    signal: Int32? = nil,
    attempt: Int = 0,
    worker: WorkerID? = nil,
    queued: Int64? = nil,
    started: Int64? = nil,
    finished: Int64? = nil,
    usage: PoolResourceUsage? = nil,
    standardOutput: OutputExcerpt = OutputExcerpt(),
    standardError: OutputExcerpt = OutputExcerpt(),
    result: ResultContent? = nil,
    message: String? = nil
  ) {
    self.id = id
    self.name = name ?? id
    self.group = group
    self.memberCount = memberCount
    self.ending = ending
    self.cause = cause
    self.exit = exit
    self.signal = signal
    self.attempt = attempt
    self.worker = worker
    self.queued = queued
    self.started = started
    self.finished = finished
    self.usage = usage
    self.standardOutput = standardOutput
    self.standardError = standardError
    self.result = result
    self.message = message
  }
}

/// The beginning of an output.
package struct OutputExcerpt: Hashable, Sendable {
  /// Maximum length in bytes.
  package static let limit = OutputContent.prefixLimit

  /// The first bytes, at most ``limit``; nil if they are not known any more.
  ///
  /// A truncated output does not end within a character.
  package private(set) var bytes: [UInt8]?
  /// Length of the whole output in bytes.
  package private(set) var byteCount: Int64

  /// Makes an excerpt from the start of an output of `byteCount` bytes.
  package init(_ start: some Collection<UInt8> = [], byteCount: Int64? = nil) {
    let byteCount = byteCount ?? Int64(start.count)
    let bytes = Array(start.prefix(Self.limit))
    self.byteCount = byteCount
    self.bytes = byteCount > bytes.count ? Self.withoutPartialCharacter(bytes) : bytes
  }

  /// Makes an excerpt of an output of an earlier run; the journal has kept `content` of it.
  init(kept content: OutputContent, byteCount: Int64) {
    self.init(content.prefix, byteCount: byteCount)
    if content.byteCount == 0, byteCount > 0 { bytes = nil }
  }

  /// Removes a partial character at the end, which would turn the text into base64.
  private static func withoutPartialCharacter(_ start: [UInt8]) -> [UInt8] {
    var bytes = start
    let continuations = bytes.suffix(3).reversed().prefix { $0 & 0xC0 == 0x80 }.count
    guard bytes.count > continuations else { return bytes }
    let lead = bytes.count - continuations - 1
    let expected = (~bytes[lead]).leadingZeroBitCount
    if expected > continuations + 1, expected <= 4 { bytes.removeSubrange(lead...) }
    return bytes
  }
}

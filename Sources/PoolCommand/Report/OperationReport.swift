package import PoolModel
import PoolWire

/// All that is known of an operation, or of a group, that has ended.
package struct OperationReport: Hashable, Sendable {
  /// UTF-8.
  package var id: [UInt8]
  /// For people, UTF-8.
  package var name: [UInt8]
  /// The group that it is a member of, UTF-8.
  package var group: [UInt8]?
  /// How many members it has, if it is a group.
  package var memberCount: Int?
  package var outcome: PoolEnding
  /// The reason, such as `exit` or `dependency:fetch`; nil where it succeeded.
  package var cause: String?
  /// The exit code and the signal that a command ended by; at most one of them.
  package var exit: Int32?
  package var signal: Int32?
  /// How often it started executing; 0 for never.
  package var attempt: Int
  /// The number of the worker that executed it last.
  package var worker: WorkerID?
  /// Nanoseconds of the run; nil for what never happened.
  package var queued: Int64?
  package var started: Int64?
  package var finished: Int64?
  package var usage: PoolResourceUsage?
  package var standardOutput: OutputExcerpt
  package var standardError: OutputExcerpt
  /// The steps that were taken to make it end.
  package var stepsTaken: [TeardownStep] = []
  /// JSON, checked.
  package var result: [UInt8]?
  /// One sentence for people.
  package var message: String?
  /// Whether it ended so in an earlier run, and a journal says it.
  package var isResumed = false

  /// Nanoseconds of the last execution; nil where there was none.
  package var executionTime: Int64? {
    guard let started, let finished else { return nil }
    return finished - started
  }

  /// A step of a teardown sequence, and when it was taken.
  package struct TeardownStep: Hashable, Sendable {
    /// `message`, or the name of a signal.
    package var name: String
    /// Nanoseconds of the run.
    package var at: Int64

    package init(_ name: String, at: Int64) {
      self.name = name
      self.at = at
    }
  }

  package init(
    id: [UInt8],
    name: [UInt8]? = nil,
    group: [UInt8]? = nil,
    memberCount: Int? = nil,
    outcome: PoolEnding,
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
    result: [UInt8]? = nil,
    message: String? = nil
  ) {
    self.id = id
    self.name = name ?? id
    self.group = group
    self.memberCount = memberCount
    self.outcome = outcome
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
  /// How much of an output is reported, in bytes.
  package static let limit = 64 << 10

  /// The first bytes, at most ``limit``; where the output goes on, not the first part of a
  /// character.
  package private(set) var bytes: [UInt8]
  /// How many bytes there were.
  package private(set) var byteCount: Int64

  /// Takes the beginning of an output of that many bytes.
  package init(_ start: some Collection<UInt8> = [], byteCount: Int64? = nil) {
    let byteCount = byteCount ?? Int64(start.count)
    bytes = Array(start.prefix(Self.limit))
    self.byteCount = byteCount
    if byteCount > bytes.count { removePartialCharacter() }
  }

  /// Cutting a character would turn a text into base64.
  private mutating func removePartialCharacter() {
    let continuations = bytes.suffix(3).reversed().prefix { $0 & 0xC0 == 0x80 }.count
    guard bytes.count > continuations else { return }
    let lead = bytes.count - continuations - 1
    let expected = (~bytes[lead]).leadingZeroBitCount
    if expected > continuations + 1, expected <= 4 { bytes.removeSubrange(lead...) }
  }
}

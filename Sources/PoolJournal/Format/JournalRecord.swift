package import PoolModel

/// One fact of a journal.
package enum JournalRecord: Hashable, Sendable {
  case opened(JournalOpening)
  case settled(JournalSettlement)
  case printed(JournalPrinting)
  /// The disk has all bytes of the file before this offset.
  case synced(end: Int)
  /// Of a type that a later version writes; it is kept and means nothing here.
  case unknown

  /// Whether it says something of the file or of the outputs, and nothing of owners or outcomes.
  package var isMark: Bool {
    switch self {
    case .printed, .synced: true
    case .opened, .settled, .unknown: false
    }
  }
}

/// A process has become the journal's owner.
package struct JournalOpening: Hashable, Sendable {
  /// Owners are numbered from 1; what one of an earlier number says later counts for nothing.
  package var epoch: UInt64
  /// The number of the owner's process.
  package var processID: Int32
  /// Milliseconds since 1970.
  package var time: Int64
  /// What the machine's start was known by; nil in what earlier versions wrote.
  package var boot: [UInt8]?

  package init(epoch: UInt64, processID: Int32, time: Int64, boot: [UInt8]? = nil) {
    self.boot = boot
    self.epoch = epoch
    self.processID = processID
    self.time = time
  }
}

/// An operation that was executed has its outcome.
package struct JournalSettlement: Hashable, Sendable {
  /// How much of an identifier is kept, in bytes.
  package static let idLimit = 1 << 10
  /// How much of a message is kept, in bytes.
  package static let messageLimit = 4 << 10

  /// The owner that accepted the outcome.
  package var epoch: UInt64
  package var key: ContentDigest
  /// What the operation was called then, for people; UTF-8.
  package var id: [UInt8]
  package var ending: PoolEnding
  /// The reason in a word, where it did not succeed.
  package var cause: String?
  /// The exit code and the signal of a command; at most one of them.
  package var exit: Int32?
  package var signal: Int32?
  /// How often it was executed.
  package var attempt: Int
  package var usage: PoolResourceUsage?
  /// How long the last execution took, in microseconds; nil in what earlier versions wrote.
  package var duration: Int64?
  /// How much it wrote, in bytes.
  package var outputByteCount: Int64
  package var errorByteCount: Int64
  /// One sentence for people.
  package var message: String?
  /// What it wrote, where that has not been printed.
  package var kept: KeptOutput?

  package init(
    epoch: UInt64,
    key: ContentDigest,
    id: [UInt8],
    ending: PoolEnding,
    cause: String? = nil,
    exit: Int32? = nil,
    signal: Int32? = nil,
    attempt: Int = 1,
    usage: PoolResourceUsage? = nil,
    duration: Int64? = nil,
    outputByteCount: Int64 = 0,
    errorByteCount: Int64 = 0,
    message: String? = nil
  ) {
    self.epoch = epoch
    self.key = key
    self.id = id
    self.ending = ending
    self.cause = cause
    self.exit = exit
    self.signal = signal
    self.attempt = attempt
    self.usage = usage
    self.duration = duration
    self.outputByteCount = outputByteCount
    self.errorByteCount = errorByteCount
    self.message = message
  }
}

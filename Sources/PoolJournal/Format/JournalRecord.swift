package import PoolModel

/// One record of a journal.
package enum JournalRecord: Hashable, Sendable {
  case opened(JournalOpening)
  case settled(JournalSettlement)
  case voided(JournalVoiding)
  case printed(JournalPrinting)
  case target(JournalTargetUse)
  case marked(JournalMark)
  /// Everything before this offset was synced.
  case synced(end: Int)
  /// A record of a later version's type; it is kept and has no meaning here.
  case unknown

  /// Whether it is about the file or the outputs, not about owners or outcomes.
  package var isMark: Bool {
    switch self {
    case .printed, .synced, .target, .marked: true
    case .opened, .settled, .voided, .unknown: false
    }
  }
}

/// A process has become the journal's owner.
package struct JournalOpening: Hashable, Sendable {
  /// Owners are numbered from 1; later records of an earlier owner do not count.
  package var epoch: UInt64
  /// The number of the owner's process.
  package var processID: Int32
  /// Milliseconds since 1970.
  package var time: Int64
  /// The identifier of the machine's boot; nil in records of earlier versions.
  package var boot: [UInt8]?
  /// The run of the journal; nil in records of earlier versions.
  package var run: RunIdentifier?
  /// The number of a ``KeyVersion``; nil in records of earlier versions.
  package var keyVersion: Int?
  /// The folder that commands execute in; nil in records of earlier versions.
  package var folder: [UInt8]?
  /// Whether outcomes of other folders count for this owner, and for later ones in its folder.
  package var takesOtherFolders = false

  package init(
    epoch: UInt64,
    processID: Int32,
    time: Int64,
    boot: [UInt8]? = nil,
    run: RunIdentifier? = nil,
    keyVersion: Int? = nil
  ) {
    self.boot = boot
    self.run = run
    self.keyVersion = keyVersion
    self.epoch = epoch
    self.processID = processID
    self.time = time
  }
}

/// An operation's earlier outcome no longer counts: it is executed again, by a later run if this one is
/// interrupted.
package struct JournalVoiding: Hashable, Sendable {
  package var epoch: UInt64
  package var key: ContentDigest

  package init(epoch: UInt64, key: ContentDigest) {
    self.epoch = epoch
    self.key = key
  }
}

/// The outcome of an executed operation.
package struct JournalSettlement: Hashable, Sendable {
  /// Maximum number of bytes of an identifier.
  package static let idLimit = 1 << 10
  /// Maximum number of bytes of a message.
  package static let messageLimit = 4 << 10

  /// The owner that accepted the outcome.
  package var epoch: UInt64
  package var key: ContentDigest
  /// The identifier of the operation, for people; UTF-8.
  package var id: [UInt8]
  package var ending: PoolEnding
  /// The cause in a word, without success.
  package var cause: String?
  /// The exit code or the signal of a command; at most one of them.
  package var exit: Int32?
  package var signal: Int32?
  /// Number of executions.
  package var attempt: Int
  package var usage: PoolResourceUsage?
  /// Microseconds of the last execution; nil in records of earlier versions.
  package var duration: Int64?
  /// Milliseconds from 1970 to its start; nil if no target tells it.
  package var started: Int64?
  /// Number of bytes of its outputs.
  package var outputByteCount: Int64
  package var errorByteCount: Int64
  /// One sentence for people.
  package var message: String?
  /// Its outputs and its result, if a target lacks them.
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

extension JournalSettlement {
  /// The identifier of its kept output, if any.
  package var keptID: KeptOutputID? {
    kept.map { KeptOutputID(epoch: epoch, number: $0.number) }
  }
}

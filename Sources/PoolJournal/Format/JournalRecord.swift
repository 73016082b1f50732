package import PoolModel
package import PoolWire

/// One record of a journal.
package enum JournalRecord: Hashable, Sendable {
  case opened(JournalOpening)
  case settled(JournalEnd)
  case voided(JournalVoiding)
  case sent(JournalSending)
  case returned(JournalReturn)
  case printed(JournalPrinting)
  case target(JournalTargetUse)
  case marked(JournalMark)
  /// Everything before this offset was synced.
  case synced(end: Int)
  /// A fact of a run beside its outcomes, as ``JournalBook`` reads it; a resume needs none.
  case fact
  /// A record of a later version's type; it is kept and has no meaning here.
  case unknown

  /// Whether it is neither about owners nor about outcomes.
  package var isMark: Bool {
    switch self {
    case .printed, .synced, .target, .marked, .fact: true
    case .opened, .settled, .voided, .sent, .returned, .unknown: false
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

/// An operation is sent to a worker that may be on another machine: until it has an outcome, or its
/// worker's lease is over, it may be executed there.
package struct JournalSending: Hashable, Sendable {
  package var epoch: UInt64
  package var key: ContentDigest
  /// The number of the attempt, from 1.
  package var attempt: Int
  /// How long its worker lives without an answer.
  package var lease: LeaseTerms

  package init(epoch: UInt64, key: ContentDigest, attempt: Int, lease: LeaseTerms) {
    (self.epoch, self.key) = (epoch, key)
    (self.attempt, self.lease) = (attempt, lease)
  }
}

/// An operation that was sent has certainly ended, without an outcome that counts.
package struct JournalReturn: Hashable, Sendable {
  package var epoch: UInt64
  package var key: ContentDigest

  package init(epoch: UInt64, key: ContentDigest) {
    (self.epoch, self.key) = (epoch, key)
  }
}

/// An operation's earlier outcome no longer counts: it is executed again, by a later run if this
/// one is interrupted.
package struct JournalVoiding: Hashable, Sendable {
  package var epoch: UInt64
  package var key: ContentDigest

  package init(epoch: UInt64, key: ContentDigest) {
    self.epoch = epoch
    self.key = key
  }
}

/// A fact of a run, as it leaves the engine.
///
/// A record has numbers, times and causes. The texts of an operation are in one kind of record only,
/// ``submitted(_:)``; readers of others ask the run's source for those that they need. Outputs and results
/// go beside the records.
package enum RunRecord: Sendable {
  /// The run has begun.
  indirect case runBegan(RunBegan)
  /// An operation, or a group, is known.
  indirect case submitted(SubmittedRecord)
  /// A worker executes an operation.
  case started(AttemptStarted)
  /// An attempt has ended; a further one may follow.
  case attemptEnded(EndRecord)
  /// An operation will be tried again.
  indirect case retryPlanned(RetryPlanned)
  /// An operation, or a group, has its outcome; it does not count if the journal, or the folder of results,
  /// lacks what belongs to it: then a later run executes the operation again.
  case settled(EndRecord, counts: Bool)
  /// A worker has greeted.
  case workerGreeted(WorkerGreeted)
  /// A worker is gone, or could not be started.
  indirect case workerEnded(WorkerEnded)
  /// The run ends early, because enough operations have ended as the user named.
  indirect case halted(RunHalted)
  /// The run has ended.
  case runEnded(RunEnded)

  /// Kinds of records.
  package struct Kinds: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let runBegan = Self(rawValue: 1 << 0)
    package static let submitted = Self(rawValue: 1 << 1)
    package static let started = Self(rawValue: 1 << 2)
    package static let attemptEnded = Self(rawValue: 1 << 3)
    package static let retryPlanned = Self(rawValue: 1 << 4)
    package static let settled = Self(rawValue: 1 << 5)
    package static let workerGreeted = Self(rawValue: 1 << 6)
    package static let workerEnded = Self(rawValue: 1 << 7)
    package static let halted = Self(rawValue: 1 << 8)
    package static let runEnded = Self(rawValue: 1 << 9)

    package static let all = Self(rawValue: (1 << 10) - 1)
  }

  package var kind: Kinds {
    switch self {
    case .runBegan: .runBegan
    case .submitted: .submitted
    case .started: .started
    case .attemptEnded: .attemptEnded
    case .retryPlanned: .retryPlanned
    case .settled: .settled
    case .workerGreeted: .workerGreeted
    case .workerEnded: .workerEnded
    case .halted: .halted
    case .runEnded: .runEnded
    }
  }
}

/// A fact of a run, as it leaves the engine.
///
/// A record has numbers, times and causes. The texts of an operation are in one kind of record
/// only, ``submitted(_:)``; readers of others ask the run's source for those that they need.
/// Outputs and results go beside the records.
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
  /// An operation, or a group, has its outcome; it does not count if the journal, or the folder of
  /// results, lacks what belongs to it: then a later run executes the operation again.
  case settled(EndRecord, counts: Bool)
  /// A worker has greeted.
  case workerGreeted(WorkerGreeted)
  /// A worker is gone, or could not be started.
  indirect case workerEnded(WorkerEnded)
  /// Another process has steered the run.
  indirect case steered(RunSteered)
  /// The run ends early, because enough operations have ended as the user named.
  indirect case halted(RunHalted)
  /// The run has ended.
  case runEnded(RunEnded)

  /// Kinds of records.
  @usableFromInline package struct Kinds: OptionSet, Hashable, Sendable {
    @usableFromInline package let rawValue: UInt16

    @inlinable package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Whether it has a kind; that of `OptionSet` costs 300 instructions in other modules.
    @inlinable package func contains(_ kind: Self) -> Bool { rawValue & kind.rawValue != 0 }

    @inlinable package static var runBegan: Self { Self(rawValue: 1 << 0) }
    @inlinable package static var submitted: Self { Self(rawValue: 1 << 1) }
    @inlinable package static var started: Self { Self(rawValue: 1 << 2) }
    @inlinable package static var attemptEnded: Self { Self(rawValue: 1 << 3) }
    @inlinable package static var retryPlanned: Self { Self(rawValue: 1 << 4) }
    @inlinable package static var settled: Self { Self(rawValue: 1 << 5) }
    @inlinable package static var workerGreeted: Self { Self(rawValue: 1 << 6) }
    @inlinable package static var workerEnded: Self { Self(rawValue: 1 << 7) }
    @inlinable package static var halted: Self { Self(rawValue: 1 << 8) }
    @inlinable package static var runEnded: Self { Self(rawValue: 1 << 9) }

    @inlinable package static var steered: Self { Self(rawValue: 1 << 10) }

    @inlinable package static var all: Self { Self(rawValue: (1 << 11) - 1) }
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
    case .steered: .steered
    case .halted: .halted
    case .runEnded: .runEnded
    }
  }
}

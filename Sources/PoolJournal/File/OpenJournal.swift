import PoolSystem

/// A journal that this process owns: what it said, and the writer of what follows.
package struct OpenJournal: Sendable {
  /// How a journal is opened.
  package struct Options: Hashable, Sendable {
    /// Whether a journal that is there is continued; if not, it is refused.
    package var continues = false
    /// Whether a damaged one is continued without what cannot be read of it.
    package var salvages = false
    package var durability = Durability.window

    package init() {}
  }

  /// What the journal said before it was opened.
  package let state: JournalState
  /// The number of this owner.
  package let epoch: UInt64
  /// What was put right, in sentences for people.
  package let warnings: [String]
  package let writer: JournalWriter

  /// Opens a journal, and makes it where there is none.
  package init(
    path: [UInt8],
    _ options: Options,
    failed: @escaping @Sendable (JournalError) -> Void
  ) throws(JournalError) {
    let file = try JournalFile.open(path: path)
    let bytes = try file.readAll()
    let scan = try JournalScan(bytes)
    guard bytes.isEmpty || options.continues else {
      throw JournalError(.exists, "a journal is there already; --resume continues it")
    }
    if !options.salvages { try scan.demandUndamaged() }
    state = JournalState(scan.entries)
    warnings = scan.findings.map { $0 + "; left out" }
    epoch = state.epoch + 1
    let (storage, end) = try Self.repaired(file, bytes, scan)
    let opening = Self.opening(epoch, hasHeader: end > 0)
    do throws(SystemFailure) {
      try storage.append(opening)
      if options.durability != .none {
        try storage.sync()
        try storage.syncFolder()
      }
    } catch {
      throw JournalError(error)
    }
    writer = try JournalWriter(
      storage,
      end: end + opening.count,
      durability: options.durability,
      failed: failed
    )
  }

  /// Takes away what is no record, and says where the next one is written.
  private static func repaired(
    _ file: JournalFile,
    _ bytes: [UInt8],
    _ scan: JournalScan
  ) throws(JournalError) -> (JournalFile, end: Int) {
    guard scan.damage.isEmpty else {
      let salvaged = JournalCompaction.salvaged(bytes, scan)
      return (try file.replace(with: salvaged), salvaged.count)
    }
    guard scan.tornTail != nil else { return (file, scan.end) }
    do throws(SystemFailure) {
      try file.cut(to: scan.end)
    } catch {
      throw JournalError(error)
    }
    return (file, scan.end)
  }

  private static func opening(_ epoch: UInt64, hasHeader: Bool) -> [UInt8] {
    var text = hasHeader ? JournalText() : .withHeader
    text.append(
      .opened(
        JournalOpening(
          epoch: epoch,
          processID: CurrentProcess.identifier,
          time: WallClock.milliseconds
        )
      )
    )
    return text.bytes
  }
}

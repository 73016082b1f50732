import PoolSystem
package import PoolWire

/// A journal that this process owns: its earlier content, and the writer of new records.
package struct OpenJournal: Sendable {
  /// How to open a journal.
  package struct Options: Hashable, Sendable {
    /// Whether to continue an existing journal; otherwise it is refused.
    package var continues = false
    /// Whether to continue a damaged journal without its unreadable parts.
    package var salvages = false
    package var durability = Durability.window
    /// The folder that commands execute in; nil if it does not matter.
    package var folder: [UInt8]?
    /// Whether outcomes of other folders count.
    package var takesOtherFolders = false

    package init() {}
  }

  /// The content of the journal before it was opened.
  package let state: JournalState
  /// The bytes of which that is the state.
  private let content: [UInt8]
  /// The number of this owner.
  package let epoch: UInt64
  /// The run of the journal, the same for all owners.
  package let run: RunIdentifier
  /// The version of the journal's keys, the same for all owners.
  package let keyVersion: KeyVersion
  /// Repairs, in sentences for people.
  package let warnings: [String]
  package let writer: JournalWriter
  /// The store of large outputs.
  package let outputs: OutputStore
  /// Whether records may contain outputs, because only the owner can read the file.
  package let isPrivate: Bool

  /// Opens a journal, or creates it; calls `waiting` if that takes long.
  package init(
    path: [UInt8],
    _ options: Options,
    waiting: (String) -> Void = { _ in },
    failed: @escaping @Sendable (JournalError) -> Void
  ) throws(JournalError) {
    let file = try JournalFile.open(path: path, waiting: waiting)
    let bytes = try file.readAll()
    var state = JournalState()
    let scan = try JournalScan(bytes, boot: BootIdentifier.current) { state.apply($0) }
    guard bytes.isEmpty || options.continues else {
      throw JournalError(.exists, JournalError.existence)
    }
    if !options.salvages { try scan.demandUndamaged() }
    keyVersion = try state.knownKeyVersion()
    epoch = state.epoch + 1
    let (outputs, notes) = try Self.openOutputs(of: &state, in: bytes, at: path, options)
    let (storage, position) = try Self.repaired(file, bytes, scan)
    run = state.run ?? RunIdentifier()
    var record = JournalOpening(
      epoch: epoch,
      processID: CurrentProcess.identifier,
      time: WallClock.milliseconds,
      boot: BootIdentifier.current,
      run: run,
      keyVersion: keyVersion.rawValue
    )
    (record.folder, record.takesOtherFolders) = (options.folder, options.takesOtherFolders)
    let opening = Self.bytes(of: record, hasHeader: position.end > 0)
    try Self.begin(storage, opening, options.durability)
    let end = position.end + opening.count
    writer = try JournalWriter(
      storage,
      .init(
        end: end,
        syncedEnd: options.durability == .none ? position.syncedEnd : end,
        epoch: epoch
      ),
      durability: options.durability,
      outputs: outputs,
      failed: failed
    )
    (self.state, content) = (state, bytes)
    (self.outputs, isPrivate) = (outputs, storage.isPrivate)
    warnings = scan.findings.map { $0 + "; left out" } + notes
  }

  /// A journal with another storage, such as one that fails in a test.
  package init(_ writer: JournalWriter, _ outputs: OutputStore) {
    (self.writer, self.outputs, state) = (writer, outputs, JournalState())
    content = []
    (epoch, run, keyVersion) = (1, RunIdentifier(), .latest)
    (warnings, isPrivate) = ([], true)
  }

  /// The whole outcome that the journal had before it was opened; nil if it had none.
  package func end(of key: ContentDigest) -> JournalEnd? {
    state.end(of: key, in: content)
  }

  /// The outcomes whose values a target lacked before the journal was opened.
  package var unprintedEnds: [JournalEnd] { state.unprintedEnds(in: content) }

  /// Finds the outputs that were not printed; drops unreadable ones if asked to, or if they were
  /// never synced.
  private static func openOutputs(
    of state: inout JournalState,
    in bytes: [UInt8],
    at path: [UInt8],
    _ options: Options
  ) throws(JournalError) -> (OutputStore, notes: [String]) {
    let kept = try KeptOutputs.find(of: state, in: bytes, at: path)
    let unsynced =
      kept.lost.isEmpty
      ? [] : try JournalScan.unsyncedKeys(in: bytes, boot: BootIdentifier.current)
    if !options.salvages, !kept.lost.allSatisfy({ unsynced.contains($0.key) }) {
      try kept.demandWhole()
    }
    for lost in kept.lost { state.discard(lost.key) }
    do throws(SystemFailure) {
      return (try OutputStore(path: kept.path, holding: kept.inFile), kept.notes)
    } catch {
      throw JournalError(.system(error), "\(kept.name): \(error.description)")
    }
  }

  private static func begin(
    _ storage: JournalFile,
    _ opening: [UInt8],
    _ durability: Durability
  ) throws(JournalError) {
    try JournalError.system { () throws(SystemFailure) in
      try storage.append(opening)
      guard durability != .none else { return }
      try storage.sync()
      try storage.syncFolder()
    }
  }

  /// Removes bytes that are no record, and returns the position of the next record.
  private static func repaired(
    _ file: JournalFile,
    _ bytes: [UInt8],
    _ scan: JournalScan
  ) throws(JournalError) -> (JournalFile, JournalWriter.Position) {
    guard scan.damage.isEmpty, scan.holes.isEmpty else {
      let salvaged = try JournalCompaction.salvaged(bytes)
      let position = JournalWriter.Position(end: salvaged.count, syncedEnd: salvaged.count)
      return (try file.replace(with: salvaged), position)
    }
    let position = JournalWriter.Position(end: scan.end, syncedEnd: scan.syncedEnd)
    guard scan.tornTail != nil else { return (file, position) }
    try JournalError.system { () throws(SystemFailure) in try file.cut(to: scan.end) }
    return (file, position)
  }

  private static func bytes(of opening: JournalOpening, hasHeader: Bool) -> [UInt8] {
    var text = hasHeader ? JournalBytes() : .withHeader
    text.append(.opened(opening))
    return text.bytes
  }
}

/// What a journal says of itself: up to where it was synced, and which outputs were printed.
///
/// A mark may be lost with the process. Then more is taken for unsynced than was, and printed
/// again.
struct JournalMarks: Sendable {
  /// The offset before which the disk has everything.
  private var syncedEnd: Int
  /// What the last mark says of that.
  private var markedEnd = 0
  /// Outputs that were printed, of which the file does not say so.
  private var printed: [KeptOutputID] = []
  /// Those of which it says so, and where the mark ends; the disk may not have it.
  private var written: [(outputs: [KeptOutputID], end: Int)] = []
  /// Those of which the next write says so.
  private var taken: [KeptOutputID] = []

  init(syncedEnd: Int) {
    self.syncedEnd = syncedEnd
  }

  /// Whether outputs were printed of which the file does not say so.
  var hasPrinted: Bool { !printed.isEmpty }

  /// These outputs were printed.
  mutating func print(_ outputs: [KeptOutputID]) {
    printed += outputs
  }

  /// Everything before this offset was synced.
  mutating func synced(_ end: Int) {
    syncedEnd = max(syncedEnd, end)
  }

  /// The marks that stand before the next records.
  mutating func take() -> [JournalRecord] {
    var records: [JournalRecord] = []
    if syncedEnd > markedEnd {
      records.append(.synced(end: syncedEnd))
      markedEnd = syncedEnd
    }
    guard !printed.isEmpty else { return records }
    let epochs = Dictionary(grouping: printed, by: \.epoch).sorted { $0.key < $1.key }
    for (epoch, outputs) in epochs {
      records += JournalPrinting.records(epoch: epoch, numbers: outputs.map(\.number))
    }
    taken += printed
    printed.removeAll()
    return records
  }

  /// What was taken was written, with marks before the first offset and all else before the second.
  mutating func wrote(_ markEnd: Int, end: Int, isSynced: Bool) {
    if isSynced { syncedEnd = max(syncedEnd, end) }
    guard !taken.isEmpty else { return }
    written.append((taken, markEnd))
    taken.removeAll()
  }

  /// Outputs of which it is kept that they were printed: by the file, or, synced, by the disk.
  mutating func takeReleased(isSynced: Bool) -> [KeptOutputID] {
    let count = written.prefix { !isSynced || $0.end <= syncedEnd }.count
    guard count > 0 else { return [] }
    defer { written.removeFirst(count) }
    return written.prefix(count).flatMap(\.outputs)
  }
}

/// The marks in a journal: up to which offset it was synced, and which outputs were printed.
///
/// A mark may be lost with the process. Then some synced bytes count as unsynced, and some outputs
/// are printed again.
struct JournalMarks: Sendable {
  /// The offset before which the disk has everything.
  private var syncedEnd: Int
  /// The offset in the last mark.
  private var markedEnd = 0
  /// What targets have that others lack, and their lengths, without a mark in the file.
  private var news: [UInt32: TargetNews] = [:]
  /// Printed outputs without a mark in the file.
  private var printed: [KeptOutputID] = []
  /// Outputs with a mark in the file, and the end of that mark, which may not be synced.
  private var written: [(outputs: [KeptOutputID], end: Int)] = []
  /// Outputs whose mark the next write contains.
  private var taken: [KeptOutputID] = []

  init(syncedEnd: Int) {
    self.syncedEnd = syncedEnd
  }

  /// Whether there is anything about targets without a mark in the file.
  var hasNews: Bool { !printed.isEmpty || !news.isEmpty }

  /// Records that these outputs were printed.
  mutating func print(_ outputs: [KeptOutputID]) {
    printed += outputs
  }

  /// Records what a target has.
  mutating func note(_ outputs: [KeptOutputID], of target: UInt32, _ extent: TargetExtent?) {
    news[target, default: TargetNews()].outputs += outputs
    if let extent { news[target]?.extent = extent }
  }

  /// Records that everything before this offset was synced.
  mutating func synced(_ end: Int) {
    syncedEnd = max(syncedEnd, end)
  }

  /// Takes the marks to write before the next records.
  mutating func take(epoch: UInt64) -> [JournalRecord] {
    var records: [JournalRecord] = []
    if syncedEnd > markedEnd {
      records.append(.synced(end: syncedEnd))
      markedEnd = syncedEnd
    }
    let released = news.isEmpty ? [] : Set(printed)
    for (target, news) in news.sorted(by: { $0.key < $1.key }) {
      let outputs = news.outputs.filter { !released.contains($0) }
      records += JournalMark.records(target, outputs, news.extent, epoch: epoch)
    }
    news.removeAll()
    guard !printed.isEmpty else { return records }
    let epochs = Dictionary(grouping: printed, by: \.epoch).sorted { $0.key < $1.key }
    for (epoch, outputs) in epochs {
      records += JournalPrinting.records(epoch: epoch, numbers: outputs.map(\.number))
    }
    taken += printed
    printed.removeAll()
    return records
  }

  /// The taken marks were written, up to the first offset, and the records after them up to the
  /// second.
  mutating func wrote(_ markEnd: Int, end: Int, isSynced: Bool) {
    if isSynced { syncedEnd = max(syncedEnd, end) }
    guard !taken.isEmpty else { return }
    written.append((taken, markEnd))
    taken.removeAll()
  }

  /// Takes outputs with a mark in the file or, if `isSynced`, with a synced mark.
  mutating func takeReleased(isSynced: Bool) -> [KeptOutputID] {
    let count = written.prefix { !isSynced || $0.end <= syncedEnd }.count
    guard count > 0 else { return [] }
    defer { written.removeFirst(count) }
    return written.prefix(count).flatMap(\.outputs)
  }
}

/// What a target has since the last marks.
struct TargetNews: Sendable {
  var outputs: [KeptOutputID] = []
  var extent: TargetExtent?
}

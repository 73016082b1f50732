import PoolModel
import PoolWire

/// The content of a journal's bytes: records, and parts that are no record.
package struct JournalScan: Sendable {
  /// A record, and the range of its body.
  package struct Entry: Sendable {
    package var body: Range<Int>
    package var record: JournalRecord

    package init(body: Range<Int>, record: JournalRecord) {
      (self.body, self.record) = (body, record)
    }

    /// The offset of the record.
    package var offset: Int { body.lowerBound - JournalFrame.headerLength }
  }

  package private(set) var entries: [Entry] = []
  /// Parts that are no record, come before records and were synced, as far as known: the file was
  /// changed.
  package private(set) var damage: [Range<Int>] = []
  /// Parts that are no record, come before records and were not synced before the machine crashed.
  package private(set) var holes: [Range<Int>] = []
  /// A part at the end that is no record: a process died while it wrote it.
  package private(set) var tornTail: Range<Int>?
  /// Number of bytes.
  package let byteCount: Int
  /// Whether there are zeros instead of the first line.
  private var lacksHeader = false

  /// Number of zeros that may be a journal that was never synced: 1 MiB.
  private static let zerosLimit = 1 << 20

  /// The end of the synced part, according to the journal.
  package private(set) var syncedEnd = 0

  /// Reads a journal; throws only if the file is not one.
  ///
  /// The identifier of the current boot tells whether the machine has crashed since the last record
  /// of an owner that never synced.
  ///
  /// With a closure, each record is passed to it in order, and only openings are kept.
  package init(
    _ bytes: [UInt8],
    boot: [UInt8]? = nil,
    visiting visit: ((Entry) -> Void)? = nil
  ) throws(JournalError) {
    self = try bytes.withBytes { bytes throws(JournalError) in try Self(reading: bytes, visit) }
    classify(boot)
  }

  private init(
    reading bytes: UnsafeRawBufferPointer,
    _ visit: ((Entry) -> Void)?
  ) throws(JournalError) {
    byteCount = bytes.count
    try read(bytes, visit)
  }

  private mutating func take(_ entry: Entry, _ visit: ((Entry) -> Void)?) {
    guard let visit else { return entries.append(entry) }
    if case .opened = entry.record { entries.append(entry) }
    visit(entry)
  }

  /// The offset of the next record to write.
  package var end: Int { tornTail?.lowerBound ?? byteCount }

  /// Sentences for people about the parts that are no record.
  package var findings: [String] {
    var findings = damage.map { range in
      "\(Plural.of(range.count, "byte")) at offset \(range.lowerBound) "
        + "\(range.count == 1 ? "is" : "are") no record"
    }
    findings += holes.map { range in
      "bytes \(range.lowerBound) to \(range.upperBound - 1) are no record, and had not been synced"
    }
    if let tail = tornTail {
      let bytes = tail.count == 1 ? "byte is" : "\(tail.count) bytes are"
      findings.append("the last \(bytes) no whole record")
    }
    return findings
  }

  /// Throws if the middle is damaged.
  package func demandUndamaged() throws(JournalError) {
    guard let first = damage.first else { return }
    throw JournalError(
      .corrupt(offset: first.lowerBound),
      "damaged at offset \(first.lowerBound): no record in \(Plural.of(first.count, "byte")) there, "
        + "but records follow"
    )
  }

  private mutating func read(
    _ bytes: UnsafeRawBufferPointer,
    _ visit: ((Entry) -> Void)?
  ) throws(JournalError) {
    var offset = 0
    switch try JournalHeader.check(bytes) {
    case .whole: offset = JournalHeader.line.count
    case .missing:
      lacksHeader = true
      guard bytes.count <= Self.zerosLimit || bytes.contains(where: { $0 != 0 }) else {
        throw JournalError(.notJournal, "this is not a journal")
      }
    case .torn:
      if !bytes.isEmpty { tornTail = 0..<bytes.count }
      return
    }
    while offset < bytes.count {
      if let entry = Self.entry(at: offset, in: bytes) {
        take(entry, visit)
        // A mark that an earlier version copied to another place may be too large.
        if case .synced(let end) = entry.record, end <= entry.offset {
          syncedEnd = max(syncedEnd, end)
        }
        offset = entry.body.upperBound
        continue
      }
      guard let next = Self.nextRecord(after: offset, in: bytes) else {
        tornTail = offset..<bytes.count
        return
      }
      damage.append(offset..<next)
      offset = next
    }
  }

  /// Distinguishes holes after a crash of the machine from damage.
  private mutating func classify(_ boot: [UInt8]?) {
    guard !damage.isEmpty else { return }
    let openings = openings(boot)
    let unsynced = damage.map { isUnsynced($0, openings) }
    holes = zip(damage, unsynced).filter(\.1).map(\.0)
    damage = zip(damage, unsynced).filter { !$1 }.map(\.0)
  }

  /// The offset of an owner's records.
  private struct Opening {
    var offset: Int
    /// Whether the machine has certainly rebooted since.
    var isOfEarlierStart: Bool
  }

  private func openings(_ boot: [UInt8]?) -> [Opening] {
    entries.compactMap { entry in
      guard case .opened(let opening) = entry.record else { return nil }
      let isKnown = boot != nil && opening.boot != nil
      return Opening(offset: entry.offset, isOfEarlierStart: isKnown && opening.boot != boot)
    }
  }

  private func isUnsynced(_ range: Range<Int>, _ openings: [Opening]) -> Bool {
    guard range.lowerBound >= syncedEnd else { return false }
    guard let owner = openings.last(where: { $0.offset < range.lowerBound }) else {
      // The file has lost its first owner with its first line, and no mistake of a user writes
      // zeros.
      return lacksHeader
    }
    // An owner that marks its syncs has not synced anything after its last mark.
    return syncedEnd > owner.offset || owner.isOfEarlierStart
  }

  /// Operations whose outcomes may be on the disk without earlier writes, because the machine has
  /// rebooted since.
  static func unsyncedKeys(
    in bytes: [UInt8],
    boot: [UInt8]?
  ) throws(JournalError) -> Set<ContentDigest> {
    let scan = try Self(bytes)
    let openings = scan.openings(boot)
    var keys: Set<ContentDigest> = []
    for entry in scan.entries where entry.offset >= scan.syncedEnd {
      guard case .settled(let end) = entry.record,
        openings.last(where: { $0.offset < entry.offset })?.isOfEarlierStart == true
      else { continue }
      keys.insert(end.key)
    }
    return keys
  }

  private static func entry(at offset: Int, in bytes: UnsafeRawBufferPointer) -> Entry? {
    guard let body = JournalFrame.body(at: offset, in: bytes),
      let record = try? JournalRecord(json: UnsafeRawBufferPointer(rebasing: bytes[body]))
    else { return nil }
    return Entry(body: body, record: record)
  }

  /// The offset of the next record after a part that is none.
  private static func nextRecord(after offset: Int, in bytes: UnsafeRawBufferPointer) -> Int? {
    var candidate = offset + 1
    while candidate + JournalFrame.headerLength < bytes.count {
      if bytes[candidate] == 0, entry(at: candidate, in: bytes) != nil { return candidate }
      candidate += 1
    }
    return nil
  }
}

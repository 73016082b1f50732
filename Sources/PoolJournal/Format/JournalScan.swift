/// All that is found in the bytes of a journal: records, and what is none.
package struct JournalScan: Sendable {
  /// A record, and where its body is.
  package struct Entry: Sendable {
    package var body: Range<Int>
    package var record: JournalRecord

    /// Where the record begins.
    package var offset: Int { body.lowerBound - JournalFrame.headerLength }
  }

  package private(set) var entries: [Entry] = []
  /// What is no record, stands before records that are, and had been synced, as far as is known:
  /// something has happened to the file.
  package private(set) var damage: [Range<Int>] = []
  /// What is no record and stands before records that are, but had not been synced when the machine
  /// stopped: the disk had not got it.
  package private(set) var holes: [Range<Int>] = []
  /// What is no record, and stands at the end: somebody died while it was written.
  package private(set) var tornTail: Range<Int>?
  /// How many bytes there are.
  package let byteCount: Int
  /// Whether zeros stand in place of the first line.
  private var lacksHeader = false

  /// How many zeros may be a journal of which the disk has got nothing: 1 MiB.
  private static let zerosLimit = 1 << 20

  /// The offset before which the disk had everything, as far as the journal says.
  package private(set) var syncedEnd = 0

  /// Reads a journal; throws only where the file is something else.
  ///
  /// What the machine's present start is known by tells, where nothing was synced, whether the
  /// machine has stopped since.
  ///
  /// With a closure, records are shown to that, in their order, and only openings are kept.
  package init(
    _ bytes: [UInt8],
    boot: [UInt8]? = nil,
    visiting visit: ((Entry) -> Void)? = nil
  ) throws(JournalError) {
    // A typed throw cannot pass through withUnsafeBytes, so the result carries it.
    self = try bytes.withUnsafeBytes { bytes in
      Result { () throws(JournalError) in try Self(reading: bytes, visit) }
    }.get()
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

  /// Where the next record would be written.
  package var end: Int { tornTail?.lowerBound ?? byteCount }

  /// What was found that is no record, in sentences for people.
  package var findings: [String] {
    var findings = damage.map { range in
      "\(range.count) bytes at offset \(range.lowerBound) are no record"
    }
    findings += holes.map { range in
      "bytes \(range.lowerBound) to \(range.upperBound - 1) are no record, and had not been synced"
    }
    if let tail = tornTail { findings.append("the last \(tail.count) bytes are no whole record") }
    return findings
  }

  /// Throws where the middle is damaged.
  package func demandUndamaged() throws(JournalError) {
    guard let first = damage.first else { return }
    throw JournalError(
      .corrupt(offset: first.lowerBound),
      "damaged at offset \(first.lowerBound): \(first.count) bytes there are no record, "
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
        // A mark that an earlier version has copied to another place may say too much.
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

  /// Tells holes that a stop of the machine has left from damage.
  private mutating func classify(_ boot: [UInt8]?) {
    guard !damage.isEmpty else { return }
    let openings = openings(boot)
    let unsynced = damage.map { isUnsynced($0, openings) }
    holes = zip(damage, unsynced).filter(\.1).map(\.0)
    damage = zip(damage, unsynced).filter { !$1 }.map(\.0)
  }

  /// Where an owner's records begin.
  private struct Opening {
    var offset: Int
    /// Whether the machine is known to have stopped since.
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
      // With its first line the file has lost its first owner, and nobody writes zeros by mistake.
      return lacksHeader
    }
    // An owner that marks what it syncs has not synced what follows its last mark.
    return syncedEnd > owner.offset || owner.isOfEarlierStart
  }

  /// The operations whose outcomes the disk may have without what was written before them, because
  /// the machine has stopped since.
  func unsyncedKeys(boot: [UInt8]?) -> Set<ContentDigest> {
    let openings = openings(boot)
    var keys: Set<ContentDigest> = []
    for entry in entries where entry.offset >= syncedEnd {
      guard case .settled(let settlement) = entry.record,
        openings.last(where: { $0.offset < entry.offset })?.isOfEarlierStart == true
      else { continue }
      keys.insert(settlement.key)
    }
    return keys
  }

  private static func entry(at offset: Int, in bytes: UnsafeRawBufferPointer) -> Entry? {
    guard let body = JournalFrame.body(at: offset, in: bytes),
      let record = try? JournalRecord(json: UnsafeRawBufferPointer(rebasing: bytes[body]))
    else { return nil }
    return Entry(body: body, record: record)
  }

  /// Where the next record begins behind something that is none.
  private static func nextRecord(after offset: Int, in bytes: UnsafeRawBufferPointer) -> Int? {
    var candidate = offset + 1
    while candidate + JournalFrame.headerLength < bytes.count {
      if bytes[candidate] == 0, entry(at: candidate, in: bytes) != nil { return candidate }
      candidate += 1
    }
    return nil
  }
}

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
  /// What is no record, and stands before records that are: something has happened to the file.
  package private(set) var damage: [Range<Int>] = []
  /// What is no record, and stands at the end: somebody died while it was written.
  package private(set) var tornTail: Range<Int>?
  /// How many bytes there are.
  package let byteCount: Int

  /// Reads a journal; throws only where the file is something else.
  package init(_ bytes: [UInt8]) throws(JournalError) {
    // A typed throw cannot pass through withUnsafeBytes, so the result carries it.
    self = try bytes.withUnsafeBytes { bytes in
      Result { () throws(JournalError) in try Self(reading: bytes) }
    }.get()
  }

  private init(reading bytes: UnsafeRawBufferPointer) throws(JournalError) {
    byteCount = bytes.count
    try read(bytes)
  }

  /// Where the next record would be written.
  package var end: Int { tornTail?.lowerBound ?? byteCount }

  /// What was found that is no record, in sentences for people.
  package var findings: [String] {
    var findings = damage.map { range in
      "\(range.count) bytes at offset \(range.lowerBound) are no record"
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

  private mutating func read(_ bytes: UnsafeRawBufferPointer) throws(JournalError) {
    guard try JournalHeader.check(bytes) == .whole else {
      if !bytes.isEmpty { tornTail = 0..<bytes.count }
      return
    }
    var offset = JournalHeader.line.count
    while offset < bytes.count {
      if let entry = Self.entry(at: offset, in: bytes) {
        entries.append(entry)
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

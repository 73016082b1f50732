import PoolWire

/// The bytes of records, one after the other, as they are appended to a file.
package struct JournalText {
  package private(set) var bytes: [UInt8] = []
  private var writer = JSONWriter()

  package init() {}

  /// Begins with the first line of a journal.
  package static var withHeader: Self {
    var text = Self()
    text.bytes = JournalHeader.line
    return text
  }

  package mutating func append(_ record: JournalRecord) {
    writer.removeAll()
    record.append(to: &writer)
    JournalFrame.append(writer.bytes, to: &bytes)
  }

  /// Makes room for so many bytes.
  mutating func reserve(_ byteCount: Int) { bytes.reserveCapacity(byteCount) }

  /// Appends a record that was read, as it was.
  mutating func append(body: some Collection<UInt8>) {
    JournalFrame.append(Array(body), to: &bytes)
  }

  /// Forgets the bytes and keeps the memory.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }
}

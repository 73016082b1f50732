import PoolWire

/// The bytes of consecutive records, to be appended to a file.
package struct JournalBytes {
  package private(set) var bytes: [UInt8] = []
  private var writer = JSONWriter()

  package init() {}

  /// Starts with the first line of a new journal.
  package static var withHeader: Self { Self(header: JournalHeader.line) }

  /// Starts with the first line of a journal.
  init(header: [UInt8]) { bytes = header }

  package mutating func append(_ record: JournalRecord) {
    writer.removeAll()
    record.append(to: &writer)
    JournalFrame.append(writer.bytes, to: &bytes)
  }

  /// Reserves memory for this many bytes.
  mutating func reserve(_ byteCount: Int) { bytes.reserveCapacity(byteCount) }

  /// Appends a record that was read, unchanged.
  mutating func append(body: some Collection<UInt8>) {
    JournalFrame.append(Array(body), to: &bytes)
  }

  /// Removes the bytes and keeps the memory.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }
}

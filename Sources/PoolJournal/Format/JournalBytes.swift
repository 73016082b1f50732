import PoolEvents
import PoolModel
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

  /// Appends a fact of a run.
  ///
  /// A line that is too long for a record, because of the longest paths, is left out.
  mutating func append(_ fact: RunRecord, at time: Instant) {
    writer.removeAll()
    fact.append(shortTo: &writer, at: time)
    frame()
  }

  /// The same, with the operation that it is the first to tell of.
  mutating func append(_ fact: RunRecord, at time: Instant, describing operation: SubmittedRecord) {
    if operation.hasManyEdges {
      writer.removeAll()
      operation.append(edgesTo: &writer)
      for line in writer.bytes.split(separator: UInt8(ascii: "\n")) {
        JournalFrame.append(line + [UInt8(ascii: "\n")], to: &bytes)
      }
    }
    writer.removeAll()
    fact.append(shortTo: &writer, at: time, describing: operation)
    frame()
  }

  private mutating func frame() {
    guard writer.bytes.count <= JournalFrame.bodyLimit else { return }
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

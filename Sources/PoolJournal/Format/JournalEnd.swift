package import PoolEvents
import PoolModel
package import PoolWire

/// The end of an executed operation, on which later runs may rely.
package struct JournalEnd: Hashable, Sendable {
  /// Maximum number of bytes of an identifier: as in the facts of a run, which are found by it.
  package static let idLimit = RunRecord.shortIDLimit
  /// Maximum number of bytes of a message.
  package static let messageLimit = 4 << 10

  /// The owner that accepted it.
  package var epoch: UInt64
  package var key: ContentDigest
  /// The identifier of the operation, for people; UTF-8.
  package var id: [UInt8]
  /// The number of the operation, if its identifier is too long to be told by it.
  package var number: Int?
  /// How it ended; of what was read, number and worker are unknown, and its times are those of an
  /// earlier run.
  package var record: EndRecord
  /// Nanoseconds from 1970 to its start, kept as whole milliseconds; nil if no target tells it.
  package var start: Int64?
  /// Its outputs and its result, if a target lacks them.
  package var kept: KeptOutput?

  package init(
    epoch: UInt64,
    key: ContentDigest,
    id: [UInt8],
    _ record: EndRecord,
    startingAt start: Int64? = nil,
    kept: KeptOutput? = nil
  ) {
    (self.epoch, self.key, self.id) = (epoch, key, id)
    (self.record, self.start, self.kept) = (record, start, kept)
    number = id.count > Self.idLimit ? record.number : nil
  }

  /// The identifier of its kept output, if any.
  package var keptID: KeptOutputID? {
    kept.map { KeptOutputID(epoch: epoch, number: $0.number) }
  }
}

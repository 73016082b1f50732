import PoolEvents
package import PoolModel

/// What decisions need of an operation's outcome; the rest stays in the bytes of the journal.
///
/// A journal of a million outcomes has a million of these, each of 64 bytes instead of about 300.
package struct JournalOutcome: Hashable, Sendable {
  /// The owner that accepted it.
  package let epoch: UInt64
  package let ending: PoolEnding
  /// Microseconds of the last execution; nil if the record does not say it.
  package let duration: Int64?
  /// The identifier of its kept output, if that was not printed.
  package internal(set) var keptID: KeptOutputID?
  /// The place of its record's body in the bytes of the journal.
  let body: Range<Int>

  init(_ end: JournalEnd, at body: Range<Int>) {
    (epoch, ending) = (end.epoch, end.record.ending)
    (duration, keptID) = (end.record.executionTime.map { $0 / 1_000 }, end.keptID)
    self.body = body
  }
}

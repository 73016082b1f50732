package import PoolEvents
import PoolJournal
package import PoolModel

/// Tells a journal what happens in its run beside the outcomes that it keeps, so that all of it can be
/// read afterwards.
///
/// An operation is described when it begins, or when it ends without that.
package final class JournalBook: RunReader, Sendable {
  private let journal: RunJournal
  private let now: @Sendable () -> Instant
  /// The texts and needs of an operation.
  private let describe: @Sendable (Int) -> SubmittedRecord

  package init(
    _ journal: RunJournal,
    now: @escaping @Sendable () -> Instant,
    describe: @escaping @Sendable (Int) -> SubmittedRecord
  ) {
    (self.journal, self.now, self.describe) = (journal, now, describe)
  }

  /// Ends of operations come by ``tell(_:)``: it is the journal's client that knows which are kept.
  package static let kinds: RunRecord.Kinds = RunRecord.Kinds.all.subtracting([
    .submitted, .settled,
  ])

  package var kinds: RunRecord.Kinds { Self.kinds }

  package func take(_ record: RunRecord) {
    guard case .started(let start) = record else { return writer.append(record, at: now()) }
    guard start.attempt == 1 else { return writer.append(record, at: start.time) }
    writer.append(record, at: start.time, describing: describe(start.number))
  }

  private var writer: JournalWriter { journal.journal.writer }

  /// A group is known.
  package func tell(_ group: SubmittedRecord) { writer.append(.submitted(group), at: now()) }

  /// An operation, or a group, has ended, and the journal keeps no outcome of it; `counts` is as in
  /// ``RunRecord/settled(_:counts:)``.
  package func tell(_ end: EndRecord, counts: Bool) {
    let record = RunRecord.settled(end, counts: counts)
    let isKnown = end.attempt > 0 || end.memberCount != nil
    if isKnown { return writer.append(record, at: now()) }
    writer.append(record, at: now(), describing: describe(end.number))
  }
}

package import PoolEvents
import PoolJournal
package import PoolModel

/// Tells a journal what happens in its run beside the outcomes that it keeps, so that all of it can
/// be read afterwards.
///
/// An operation is described when it begins, or when it ends without that. A journal that others
/// than its owner can read, as early versions have made it, gets no command and no arguments.
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

  /// Ends of operations come by ``tell(_:counts:)``: the run knows which of them the journal keeps.
  package static let kinds: RunRecord.Kinds = RunRecord.Kinds.all.subtracting([
    .submitted, .settled,
  ])

  package var kinds: RunRecord.Kinds { Self.kinds }

  package func take(_ record: RunRecord) {
    switch record {
    case .started(let start) where start.attempt == 1:
      writer.append(record, at: start.time, describing: description(of: start.number))
    case .started(let start): writer.append(record, at: start.time)
    case .runBegan(var began) where !journal.journal.isPrivate:
      began.arguments = nil
      writer.append(.runBegan(began), at: now())
    default: writer.append(record, at: now())
    }
  }

  private func description(of number: Int) -> SubmittedRecord {
    guard !journal.journal.isPrivate else { return describe(number) }
    var operation = describe(number)
    operation.description.command = nil
    return operation
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
    writer.append(record, at: now(), describing: description(of: end.number))
  }
}

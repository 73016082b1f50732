package import PoolEvents
package import PoolModel
import PoolSystem
import Synchronization

/// Appends records: those of a turn in one write, synced as the durability demands.
///
/// One thread appends and commits records; any thread may note what was printed. After a failed
/// write or sync nothing more is written, because the content of the disk is unknown.
package final class JournalWriter: Sendable {
  /// Where a journal is continued.
  package struct Position: Hashable, Sendable {
    /// The offset of the next record.
    package var end: Int
    /// The offset before which the disk has everything.
    package var syncedEnd: Int
    /// The number of the owner.
    package var epoch: UInt64

    package init(end: Int, syncedEnd: Int = 0, epoch: UInt64 = 1) {
      self.end = end
      self.epoch = epoch
      self.syncedEnd = syncedEnd
    }
  }

  private let writing: JournalCommitter
  /// Syncs, and checks each second whether the file still exists.
  private let thread: Mutex<SystemThread?>
  private let outputs: OutputStore?

  /// Starts to write after the existing records, and to keep outputs in the store.
  ///
  /// The closure is called for failures on the writer's own thread; other failures are thrown.
  package init(
    _ storage: any JournalStorage,
    _ position: Position,
    durability: Durability,
    outputs: OutputStore? = nil,
    failed: @escaping @Sendable (JournalError) -> Void
  ) throws(JournalError) {
    let writing = JournalCommitter(storage, position, durability, outputs, failed: failed)
    self.writing = writing
    self.outputs = outputs
    do throws(SystemFailure) {
      thread = Mutex(try .start(name: "opool-journal", mask: .full) { writing.serve() })
    } catch {
      throw JournalError(error)
    }
  }

  deinit {
    endThread()
  }

  /// Why nothing is written any more; nil before a failure.
  package var failure: JournalError? { writing.failure }

  /// Number of records that may be missing because of a failure.
  package var lostCount: Int { writing.lostCount }

  /// Adds a record to the next commit.
  package func append(_ record: JournalRecord) { writing.append(record) }

  /// Adds a fact of the run to the next commit, or to a write within a second.
  package func append(_ fact: RunRecord, at time: Instant) { writing.append(fact, at: time) }

  /// The same, with the operation that it is the first to tell of.
  package func append(_ fact: RunRecord, at time: Instant, describing operation: SubmittedRecord) {
    writing.append(fact, at: time, describing: operation)
  }

  /// Adds a mark that these outputs were printed to the next commit, or to a write within a second.
  package func notePrinted(_ outputs: [KeptOutputID]) { writing.notePrinted(outputs) }

  /// Adds a mark that a target has these outputs, which others lack, and this length, if any; it is
  /// written as the one of ``notePrinted(_:)``.
  package func note(
    _ outputs: [KeptOutputID],
    of target: UInt32,
    _ extent: TargetExtent? = nil
  ) {
    writing.note(outputs, of: target, extent)
  }

  /// Stops writing, because something beside the journal could not be written.
  package func fail(_ error: JournalError) { writing.fail(error) }

  /// Writes the added records; syncs if each outcome must be on the disk.
  ///
  /// Also throws an earlier failure, after which nothing was written.
  package func commit() throws(JournalError) {
    try writing.write(alsoMarksAlone: false)
  }

  /// Writes and syncs the rest; call it last.
  package func close() throws(JournalError) {
    let result = Result { () throws(JournalError) in try writing.write(alsoMarksAlone: true) }
    endThread()
    try result.get()
    if let failure { throw failure }
    writing.releaseOutputs()
    outputs?.close()
    writing.markEnd()
    try writing.confirm()
  }

  private func endThread() {
    writing.endThread()
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }
}

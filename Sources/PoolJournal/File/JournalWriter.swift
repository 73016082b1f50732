import PoolSystem
import Synchronization

/// Appends records: those of a turn in one write, synced as the durability demands.
///
/// Records are appended and committed by one thread; what was printed may be noted by any. Once
/// something has failed nothing is written any more: what a disk has after a failed write or sync
/// is not known.
package final class JournalWriter: Sendable {
  /// How a journal is continued.
  package struct Position: Hashable, Sendable {
    /// Where the next record is written.
    package var end: Int
    /// The offset before which the disk has everything.
    package var syncedEnd: Int

    package init(end: Int, syncedEnd: Int = 0) {
      self.end = end
      self.syncedEnd = syncedEnd
    }
  }

  private let writing: JournalWriting
  /// Syncs, and looks each second whether the file is still there.
  private let thread: Mutex<SystemThread?>
  private let outputs: OutputStore?

  /// Begins to write behind what is there, and to keep outputs in the store.
  ///
  /// The closure is told what fails on the writer's own thread; what fails in a call, the call
  /// says.
  package init(
    _ storage: any JournalStorage,
    _ position: Position,
    durability: Durability,
    outputs: OutputStore? = nil,
    failed: @escaping @Sendable (JournalError) -> Void
  ) throws(JournalError) {
    let writing = JournalWriting(storage, position, durability, outputs, failed: failed)
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

  /// Why nothing is written any more.
  package var failure: JournalError? { writing.failure }

  /// How many records may be missing for that reason.
  package var lostCount: Int { writing.lostCount }

  /// Has a record written by the next commit.
  package func append(_ record: JournalRecord) { writing.append(record) }

  /// Has the next commit, or a second's end, say that these outputs were printed.
  package func notePrinted(_ outputs: [KeptOutputID]) { writing.notePrinted(outputs) }

  /// Writes nothing any more, because something beside the journal could not be written.
  package func fail(_ error: JournalError) { writing.fail(error) }

  /// Writes what was appended, and waits for the disk where each outcome must be there.
  ///
  /// Throws also what has failed before, since then nothing was written.
  package func commit() throws(JournalError) {
    try writing.write(alsoMarksAlone: false)
  }

  /// Writes and syncs the rest; nothing may follow.
  package func close() throws(JournalError) {
    let result = Result { () throws(JournalError) in try writing.write(alsoMarksAlone: true) }
    endThread()
    try result.get()
    if let failure { throw failure }
    writing.releaseOutputs()
    outputs?.close()
    writing.markEnd()
  }

  private func endThread() {
    writing.endThread()
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }
}

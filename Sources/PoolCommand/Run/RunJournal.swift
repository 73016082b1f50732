import PoolJournal
import PoolModel
import PoolSystem
import Synchronization

/// The journal of a run: which operations have their outcome already, and what becomes of others.
final class RunJournal: Sendable {
  private struct State {
    var keys = BatchKeys()
    var plan = ResumePlan()
    /// What is done when the journal has what was given to it.
    var held: [@Sendable () -> Void] = []
  }

  private let journal: OpenJournal
  private let resumesFailed: Bool
  private let state = Mutex(State())

  /// What was put right when it was opened, in sentences for people.
  var warnings: [String] { journal.warnings }

  /// Opens the journal; the closure is told of what fails beside the calls.
  init(
    _ path: [UInt8],
    _ options: JournalOptions,
    failed: @escaping @Sendable (JournalError) -> Void
  ) throws(JournalError) {
    journal = try OpenJournal(path: path, options.opening, failed: failed)
    resumesFailed = options.resumesFailed
  }

  /// Finds out which operations need not be executed; they come next in the batch.
  func expect(_ operations: Range<Int>, of batch: any Batch) {
    state.withLock { state in
      state.keys.add(operations, of: batch)
      state.plan.add(operations, of: batch) { [keys = state.keys] operation in
        journal.state.settlements[keys[operation]].flatMap { settlement in
          resumesFailed && settlement.ending != .succeeded ? nil : settlement.ending
        }
      }
    }
  }

  /// The outcome that an operation has already; nil where it is to be executed.
  func resumption(of operation: Int) -> JournalSettlement? {
    state.withLock { state in
      state.plan.isResumed(operation) ? journal.state.settlements[state.keys[operation]] : nil
    }
  }

  /// The key of an operation that is expected.
  func key(of operation: Int) -> ContentDigest {
    state.withLock { $0.keys[operation] }
  }

  /// How long operations of that key took, in microseconds, as far as the journal knew at first.
  func duration(of key: ContentDigest) -> Int64? {
    journal.state.settlements[key]?.duration
  }

  /// Adds the outcome of an operation to what the next commit writes.
  func append(_ report: OperationReport, of operation: Int) {
    let settlement = JournalSettlement(
      epoch: journal.epoch,
      key: state.withLock { $0.keys[operation] },
      id: report.id,
      ending: report.outcome,
      cause: report.cause,
      exit: report.exit,
      signal: report.signal,
      attempt: report.attempt,
      usage: report.usage,
      duration: report.executionTime.map { $0 / 1_000 },
      outputByteCount: report.standardOutput.byteCount,
      errorByteCount: report.standardError.byteCount,
      message: report.message
    )
    journal.writer.append(.settled(settlement))
  }

  /// Writes what was added.
  func commit() throws(JournalError) { try journal.writer.commit() }

  /// Keeps something to be done after the next commit.
  func hold(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.held.append(body) }
  }

  /// What is to be done now, in order.
  func takeHeld() -> [@Sendable () -> Void] {
    state.withLock { state in
      defer { state.held.removeAll() }
      return state.held
    }
  }

  /// How many outcomes may be missing in a journal that could not be written.
  var lostCount: Int { journal.writer.lostCount }

  /// Writes and syncs the rest; throws also what has failed before.
  func close() throws(JournalError) { try journal.writer.close() }
}

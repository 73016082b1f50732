import OperationPool
import PoolJournal
import PoolModel
import PoolSystem
import Synchronization

/// The journal of a run: which operations have their outcome already, and what becomes of others.
final class RunJournal: Sendable {
  private struct State {
    var keys = BatchKeys()
    var plan = ResumePlan()
    /// What is done when the journal has what was given to it, or could not be written.
    var outputs: RunOutputs
    /// The file of outputs that earlier runs have kept.
    var file: OpenFile?
    var held: [@Sendable (_ isKept: Bool) -> Void] = []
  }

  private let journal: OpenJournal
  private let resumesFailed: Bool
  private let state: Mutex<State>

  /// What was put right when it was opened, in sentences for people.
  var warnings: [String] { journal.warnings }

  /// Opens the journal; one closure is told why that takes long, the other of what fails beside the
  /// calls.
  convenience init(
    _ path: [UInt8],
    _ options: JournalOptions,
    waiting: (String) -> Void,
    failed: @escaping @Sendable (JournalError) -> Void
  ) throws(JournalError) {
    self.init(
      try OpenJournal(path: path, options.opening, waiting: waiting, failed: failed),
      resumesFailed: options.resumesFailed
    )
  }

  init(_ journal: OpenJournal, resumesFailed: Bool = false) {
    self.journal = journal
    self.resumesFailed = resumesFailed
    let outputs = RunOutputs(unprinted: journal.state.unprinted.keys)
    state = Mutex(State(outputs: outputs))
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

  /// Adds the outcome of an operation, and what it wrote, to what the next commit writes.
  func append(_ report: OperationReport, _ outputs: OutputPair, of operation: Int) {
    var settlement = JournalSettlement(
      epoch: journal.epoch,
      key: state.withLock { $0.keys[operation] },
      id: report.id,
      ending: report.outcome,
      cause: report.cause,
      // That what succeeded exited with 0 goes without saying.
      exit: report.outcome == .succeeded ? nil : report.exit,
      signal: report.signal,
      attempt: report.attempt,
      usage: report.usage,
      duration: report.executionTime.map { $0 / 1_000 },
      outputByteCount: report.standardOutput.byteCount,
      errorByteCount: report.standardError.byteCount,
      message: report.message
    )
    settlement.kept = keep(outputs, of: operation)
    journal.writer.append(.settled(settlement))
  }

  /// Writes what was added.
  func commit() throws(JournalError) { try journal.writer.commit() }

  /// Keeps something to be done after the next commit.
  func hold(_ body: @escaping @Sendable (_ isKept: Bool) -> Void) {
    state.withLock { $0.held.append(body) }
  }

  /// What is to be done now, in order.
  func takeHeld() -> [@Sendable (_ isKept: Bool) -> Void] {
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

// MARK: - Outputs

extension RunJournal {
  /// Keeps what an operation wrote, until all readers have it; nil where that is nothing.
  private func keep(_ outputs: OutputPair, of operation: Int) -> KeptOutput? {
    let byteCount = outputs.output.byteCount + outputs.error.byteCount
    guard byteCount > 0 else { return nil }
    let id = state.withLock { state in
      let id = KeptOutputID(epoch: journal.epoch, number: state.outputs.nextNumber())
      state.outputs.expect(operation, id)
      return id
    }
    do throws(SystemFailure) {
      let isSmall = byteCount <= KeptOutput.recordLimit && journal.isPrivate
      return KeptOutput(
        number: id.number,
        isSmall
          ? try .record(output: outputs.output.bytes(), error: outputs.error.bytes())
          : .file(try file(outputs, id))
      )
    } catch {
      let name = String(decoding: journal.outputs.path, as: UTF8.self)
      journal.writer.fail(JournalError(.system(error), "\(name): \(error.description)"))
      return nil
    }
  }

  private func file(
    _ outputs: OutputPair,
    _ id: KeptOutputID
  ) throws(SystemFailure) -> KeptOutput.FilePlace {
    try journal.outputs.keep(
      id,
      output: { body throws(SystemFailure) in try OutputCopy.forEachPiece(of: outputs.output, body)
      },
      error: { body throws(SystemFailure) in try OutputCopy.forEachPiece(of: outputs.error, body) }
    )
  }

  /// What an earlier run has kept of an operation's outputs, because it could not print them.
  ///
  /// From now on they are on their way to all readers. Nil where nothing is kept.
  func keptOutputs(of operation: Int) -> OutputPair? {
    guard let settlement = resumption(of: operation), let id = settlement.keptID else { return nil }
    state.withLock { $0.outputs.expect(operation, id) }
    switch settlement.kept?.place {
    case .record(let output, let error):
      return OutputPair(output: .inline(output), error: .inline(error))
    case .file(let place):
      guard let file = openFile else {
        let reason = OutputContent.unavailable("what was kept of it cannot be opened")
        return OutputPair(output: reason, error: .empty)
      }
      return OutputPair(
        output: .file(OutputFile(place.output, of: file)),
        error: .file(OutputFile(place.error, of: file))
      )
    case nil: return nil
    }
  }

  /// The file of kept outputs, opened once.
  private var openFile: OpenFile? {
    state.withLock { state in
      if state.file == nil, let descriptor = try? journal.outputs.reader() {
        state.file = OpenFile(descriptor)
      }
      return state.file
    }
  }

  /// The run has a file of results, which must have outputs, too, before they count as printed.
  func expectResults() {
    state.withLock { $0.outputs.hasResults = true }
  }

  /// A reader has the outputs of these operations.
  func note(_ operations: [Int], by reader: RunOutputs.Reader) {
    let printed = state.withLock { $0.outputs.note(operations, by: reader) }
    if !printed.isEmpty { journal.writer.notePrinted(printed) }
  }

  /// An operation has another outcome than before: what it wrote then is not printed any more.
  func replaceOutputs(of operation: Int) {
    guard !journal.state.unprinted.isEmpty else { return }
    let id = journal.state.settlements[key(of: operation)]?.keptID
    guard let id, state.withLock({ $0.outputs.drop(id) }) else { return }
    journal.writer.notePrinted([id])
  }

  /// How many outputs are kept because nobody has them.
  var keptCount: Int { state.withLock { $0.outputs.remainingCount } }
}

extension OutputContent {
  /// All of it, where it is small.
  fileprivate func bytes() throws(SystemFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    try OutputCopy.forEachPiece(of: self) { bytes += $0 }
    return bytes
  }
}

package import PoolContents
package import PoolEvents
package import PoolInputs
package import PoolJournal
package import PoolModel
package import PoolSystem
package import PoolWire
import Synchronization

/// The journal of a run: the outcomes that it starts with, and those that the run adds.
package final class RunJournal: Sendable {
  struct State {
    var keys: WorkloadKeys
    /// The targets of this run, by their roles.
    var targets = [
      TargetRoles.streams.rawValue: Target(number: JournalTarget.streamsNumber, isNew: false)
    ]
    var sync: TargetSync?
    /// What the run before has printed without a mark, and the file that it was found in.
    var printed = PrintedTail()
    var printedFile: (file: PrintedFile, target: UInt32)?
    var plan = ResumePlan()
    /// The operations that were sent to other machines and have not certainly ended, with the
    /// number of the attempt.
    var sent: [Int: (attempt: Int, worker: WorkerID)] = [:]
    var outputs: RunOutputs
    /// The file with the outputs that earlier runs have kept.
    var file: OpenFile?
  }

  package let journal: OpenJournal
  let options: JournalOptions
  let state: Mutex<State>

  /// What was repaired when the journal was opened, and whose outcomes do not count, in sentences
  /// for people.
  package var warnings: [String] {
    journal.warnings + [options.remark(on: journal.state), doubt].compactMap(\.self)
  }

  /// What to say of operations that may still be executed on other machines; nil if there are none.
  private var doubt: String? {
    let known = journal.state
    guard isContinued, let longest = known.sent.values.map(\.lease.doubt).max() else { return nil }
    let count = Plural.of(known.sent.count, "operation")
    return "\(count) may still be executed on other machines, where the run before had sent them: "
      + "what this run executes of them begins after \(Printable.seconds(longest))"
  }

  /// Opens the journal; calls `waiting` if that takes long, and `failed` for background failures.
  package convenience init(
    _ path: [UInt8],
    _ options: JournalOptions,
    waiting: (String) -> Void,
    failed: @escaping @Sendable (JournalError) -> Void
  ) throws(JournalError) {
    self.init(
      try OpenJournal(path: path, options.opening, waiting: waiting, failed: failed),
      options
    )
  }

  package init(_ journal: OpenJournal, _ options: JournalOptions = JournalOptions()) {
    self.journal = journal
    self.options = options
    let outputs = RunOutputs(unprinted: journal.state.unprinted.keys)
    state = Mutex(State(keys: WorkloadKeys(journal.keyVersion), outputs: outputs))
  }

  /// Decides which of the operations, which come next in the workload, are resumed.
  package func expect(_ operations: Range<Int>, of workload: any Workload) {
    let isVoiding = state.withLock { state in
      state.keys.add(operations, of: workload)
      let known = journal.state
      state.plan.add(operations, of: workload, state.keys, known, options)
      let keys = operations.filter { state.plan.isDemanded($0) }.map { state.keys[$0] }
      let voided = keys.filter { known.outcomes[$0] != nil }
      for key in voided {
        journal.writer.append(.voided(JournalVoiding(epoch: journal.epoch, key: key)))
      }
      return !voided.isEmpty
    }
    // Before any of them begins; the next commit, too, throws its failure.
    if isVoiding { try? journal.writer.commit() }
  }

  /// An identifier of `--rerun` that no operation had so far.
  package var unknownRerun: [UInt8]? {
    state.withLock { $0.plan.unknown(of: options.reruns) }
  }

  /// The outcome that an operation has already; nil if it is to be executed.
  package func resumption(of operation: Int) -> JournalOutcome? {
    resumedKey(of: operation).flatMap { journal.state.outcomes[$0] }
  }

  /// All that the journal says of that outcome.
  package func resumedEnd(of operation: Int) -> JournalEnd? {
    resumedKey(of: operation).flatMap { journal.end(of: $0) }
  }

  private func resumedKey(of operation: Int) -> ContentDigest? {
    state.withLock { $0.plan.isResumed(operation) ? $0.keys[operation] : nil }
  }

  /// The key of an operation that was expected.
  package func key(of operation: Int) -> ContentDigest {
    state.withLock { $0.keys[operation] }
  }

  /// An operation is about to be sent to a worker that may be on another machine: the next commit
  /// comes first.
  package func noteSending(
    of operation: Int,
    attempt: Int,
    to worker: WorkerID,
    for lease: LeaseTerms
  ) {
    state.withLock { $0.sent[operation] = (attempt, worker) }
    append(sending: operation, attempt, lease)
  }

  /// From now on such a worker lives for so long without an answer.
  package func noteStop(of worker: WorkerID, for lease: LeaseTerms) {
    let sent = state.withLock { $0.sent.filter { $0.value.worker == worker } }
    for (operation, sending) in sent.sorted(by: { $0.key < $1.key }) {
      append(sending: operation, sending.attempt, lease)
    }
  }

  private func append(sending operation: Int, _ attempt: Int, _ lease: LeaseTerms) {
    let (epoch, key) = (journal.epoch, key(of: operation))
    let sending = JournalSending(epoch: epoch, key: key, attempt: attempt, lease: lease)
    journal.writer.append(.sent(sending))
  }

  /// An operation has certainly ended, and no outcome says so.
  package func noteReturn(of operation: Int) {
    guard state.withLock({ $0.sent.removeValue(forKey: operation) }) != nil else { return }
    journal.writer.append(.returned(JournalReturn(epoch: journal.epoch, key: key(of: operation))))
  }

  /// What an earlier run has sent of an operation, and may still be executed.
  package func earlierSending(of operation: Int) -> JournalSending? {
    journal.state.sent[key(of: operation)]
  }

  /// The idempotency key of an operation that was expected.
  func idempotencyKey(of operation: Int) -> [UInt8] { journal.run.key(of: key(of: operation)) }

  /// The duration in microseconds that the journal had at the start for operations with that key.
  package func duration(of key: ContentDigest) -> Int64? {
    journal.state.outcomes[key]?.duration
  }

  /// The idempotency key of a group, by its name.
  func idempotencyKey(ofGroup name: [UInt8]) -> [UInt8] {
    journal.run.key(ofGroup: name)
  }

  /// Adds the outcome of an operation, with the value that is kept for targets, to the next commit.
  ///
  /// `start` is the number of nanoseconds from 1970 to its start, if a target tells it.
  package func append(
    _ record: EndRecord,
    _ kept: KeptOutput?,
    id: [UInt8],
    startingAt start: Int64?
  ) {
    let key = state.withLock { state in
      if !record.leavesInDoubt { state.sent[record.number] = nil }
      return state.keys[record.number]
    }
    let end = JournalEnd(
      epoch: journal.epoch,
      key: key,
      id: id,
      record,
      startingAt: start,
      kept: kept
    )
    journal.writer.append(.settled(end))
  }

  /// Writes the added outcomes.
  package func commit() throws(JournalError) { try journal.writer.commit() }

  /// Number of outcomes that may be missing after a failed write.
  package var lostCount: Int { journal.writer.lostCount }

  /// Writes and syncs the rest; also throws an earlier failure.
  package func close() throws(JournalError) {
    try journal.writer.close()
  }
}

// MARK: - Outputs

extension RunJournal {
  /// Keeps the outputs and the result of an operation until all targets have them; nothing is kept
  /// if there are no targets.
  ///
  /// The closure is asked before each piece whether to go on.
  package func keep(
    _ outputs: OutputPair,
    _ result: ResultContent?,
    of operation: Int,
    for readers: TargetRoles,
    while isWanted: () -> Bool
  ) -> OutputStorage {
    guard !readers.isEmpty else { return .stored(nil) }
    let id = state.withLock { state in
      let id = KeptOutputID(epoch: journal.epoch, number: state.outputs.nextNumber())
      state.outputs.expect(operation, id, readers)
      return id
    }
    do throws(SystemFailure) {
      var kept = KeptOutput(number: id.number, .record(output: [], error: []))
      kept.readers = readers
      let resultCount = Int64(result?.storedCount ?? 0)
      let byteCount = outputs.output.byteCount + outputs.error.byteCount + resultCount
      if byteCount == 0 || byteCount <= KeptOutput.recordLimit && journal.isPrivate {
        kept.place = try .record(output: outputs.output.bytes(), error: outputs.error.bytes())
        kept.result = try result?.json()
      } else {
        kept.place = .file(try file(outputs, result, id, while: isWanted))
      }
      // Large values are stored on a thread of their own, commits are the loop's.
      let isLong = outputs.isLong || result?.isLong == true
      if isLong, options.opening.durability != .none { try journal.outputs.sync() }
      return .stored(kept)
    } catch {
      if error == .cancelled {
        cancelOutputs(of: operation)
        return .dropped
      }
      let name = Printable.text(journal.outputs.path)
      journal.writer.fail(JournalError(.system(error), "\(name): \(error.description)"))
      return .stored(nil)
    }
  }

  private func file(
    _ outputs: OutputPair,
    _ result: ResultContent?,
    _ id: KeptOutputID,
    while isWanted: () -> Bool
  ) throws(SystemFailure) -> KeptOutput.FilePlace {
    try withoutActuallyEscaping(isWanted) { isWanted throws(SystemFailure) in
      try journal.outputs.keep(
        id,
        output: { body throws(SystemFailure) in
          try outputs.output.forEachPiece(while: isWanted, body)
        },
        error: { body throws(SystemFailure) in
          try outputs.error.forEachPiece(while: isWanted, body)
        },
        result: { body throws(SystemFailure) in
          try result?.forEachPiece(while: isWanted, body)
        }
      )
    }
  }

  /// The outcome of an operation is not kept, and so no outputs are.
  package func cancelOutputs(of operation: Int) {
    state.withLock { $0.outputs.cancel(operation) }
  }

  /// The file of kept outputs, opened once.
  package var openFile: OpenFile? {
    state.withLock { state in
      if state.file == nil, let descriptor = try? journal.outputs.reader() {
        state.file = OpenFile(descriptor)
      }
      return state.file
    }
  }

  /// An operation has a new outcome: its earlier outputs are no longer printed.
  package func replaceOutputs(of operation: Int) {
    guard !journal.state.unprinted.isEmpty else { return }
    let id = journal.state.outcomes[key(of: operation)]?.keptID
    guard let id, state.withLock({ $0.outputs.drop(id) }) else { return }
    journal.writer.notePrinted([id])
  }

  /// Number of kept outputs that a target lacks.
  package var keptCount: Int { state.withLock { $0.outputs.remainingCount } }
}

extension OutputContent {
  /// All bytes of a small output.
  fileprivate func bytes() throws(SystemFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    try forEachPiece { bytes += $0 }
    return bytes
  }
}

extension EndRecord {
  /// Whether it may go on elsewhere, because its user has given it up there.
  fileprivate var leavesInDoubt: Bool { ending == .cancelled }
}

package import PoolContents
import PoolEvents
package import PoolJournal
import PoolModel
package import PoolSystem
import Synchronization

// What the journal says of the targets of its runs: the one place that decides what they get again.

extension RunJournal {
  /// A target of this run.
  struct Target: Sendable {
    var number: UInt32
    /// Whether it gets a line for each operation.
    var isNew: Bool
  }

  /// The value of an operation that an earlier run has executed.
  package struct Resumed {
    package var outputs = OutputPair.empty
    /// Number of bytes of the standard output that are in its file already.
    var printedCount: Int64 = 0
    /// The result of a kind.
    package var result: ResultContent?
    /// The targets of this run that lack it.
    package var lacking = TargetRoles.none
    /// Whether the journal has it still.
    package var isKept = false

    package init() {}
  }

  /// Declares the targets of this run before anything is written to them.
  package func begin(_ starts: [TargetStart]) throws(JournalError) {
    var number = journal.state.targets.nextNumber
    var targets: [UInt8: Target] = [:]
    for start in starts where start.role != .streams {
      let target = start.target(number: number)
      number = max(number, target.number + 1)
      targets[start.role.rawValue] = Target(number: target.number, isNew: start.isNew)
      journal.writer.append(.target(JournalTargetUse(epoch: journal.epoch, target)))
    }
    state.withLock { state in state.targets.merge(targets) { $1 } }
    recognizePrinted(as: number)
    try journal.writer.commit()
    try startSync(starts)
  }

  private func startSync(_ starts: [TargetStart]) throws(JournalError) {
    var syncs: [UInt8: TargetSync.Sync] = [:]
    for start in starts { syncs[start.role.rawValue] = start.sync }
    guard !syncs.isEmpty, options.opening.durability != .none else { return }
    do throws(SystemFailure) {
      let sync = try TargetSync(syncs) { [weak self] in self?.record($0, by: $1, $2) }
      state.withLock { $0.sync = sync }
    } catch {
      throw JournalError(error)
    }
  }

  /// Syncs the targets and records what they have, on another thread, which then calls the closure.
  package func finishTargets(_ ended: @escaping @Sendable () -> Void) {
    if let sync = state.withLock({ $0.sync }) { sync.finish(ended) } else { ended() }
  }

  /// Records no more of the targets; returns those of which the disk may lack something.
  package func endTargets() -> [(role: TargetRoles, failure: SystemFailure)] {
    state.withLock { $0.sync.take() }?.abandon() ?? []
  }

  /// Whether earlier runs have used the journal, and this one continues it.
  package var isContinued: Bool { journal.epoch > 1 && options.opening.continues }

  /// The targets of earlier runs.
  package var targets: JournalTargets { journal.state.targets }

  /// The run, in hexadecimal digits.
  package var runIdentifier: [UInt8] { journal.run.hex }

  /// The outcomes whose lines a job log may lack.
  var unloggedEnds: [JournalEnd] {
    journal.unprintedEnds.filter { $0.kept?.readers.contains(.jobLog) == true }
  }

  /// Whether a target gets a line for each operation, also for those that it cannot have lost.
  package func isNew(_ role: TargetRoles) -> Bool {
    state.withLock { $0.targets[role.rawValue]?.isNew == true }
  }

  /// A target has the values of these operations, and a file of lines has a length.
  package func note(_ operations: [Int], by role: TargetRoles, _ extent: TargetExtent? = nil) {
    let sync = state.withLock { $0.sync }
    guard let sync, sync.delays(role) else { return record(operations, by: role, extent) }
    sync.note(operations, by: role, extent)
  }

  private func record(_ operations: [Int], by role: TargetRoles, _ extent: TargetExtent?) {
    let (target, printedFile, taken) = state.withLock { state in
      let taken = state.outputs.note(operations, by: role)
      return (state.targets[role.rawValue], state.printedFile?.target, taken)
    }
    if !taken.released.isEmpty { journal.writer.notePrinted(taken.released) }
    guard let target, extent != nil || !taken.lacking.isEmpty else { return }
    guard role == .streams else {
      return journal.writer.note(taken.lacking, of: target.number, extent)
    }
    journal.writer.note(taken.lacking, of: target.number, nil)
    if let printedFile { journal.writer.note([], of: printedFile, extent) }
  }

  /// The value of an operation whose outcome is resumed; nil if it is executed.
  ///
  /// The targets of this run that lack it are now expected to take it.
  package func resumed(_ operation: Int, inFolder hasFolder: Bool) -> Resumed? {
    guard let resumption = resumption(of: operation) else { return nil }
    guard let id = resumption.keptID, let end = resumedEnd(of: operation), let kept = end.kept
    else { return Resumed() }
    var resumed = value(of: kept)
    let marked = targets.roles(having: id)
    let (lacking, released) = state.withLock { state in
      var had = marked
      if state.printed.whole.contains(id) { had.insert(.streams) }
      if let begun = state.printed.begun, begun.id == id { resumed.printedCount = begun.byteCount }
      var lacking = TargetRoles.none
      for role in TargetRoles.each where Self.takes(role, resumed, end.record, hasFolder) {
        guard let target = state.targets[role.rawValue] else { continue }
        let isThere = role == .streams && had.contains(role) || targets.has(id, target.number)
        if !isThere { lacking.insert(role) }
      }
      // What a folder has was to be printed, and is not.
      let elsewhere = kept.readers.subtracting(had).subtracting(hasFolder ? .streams : [])
      let readers = lacking.union(elsewhere)
      state.outputs.expect(operation, id, readers)
      return (lacking, readers.isEmpty && state.outputs.drop(id))
    }
    if released { journal.writer.notePrinted([id]) }
    resumed.lacking = lacking
    return resumed
  }

  /// Whether targets with a role take the value of an outcome: a job log and a folder only that of
  /// an operation that has begun.
  private static func takes(
    _ role: TargetRoles,
    _ value: Resumed,
    _ record: EndRecord,
    _ hasFolder: Bool
  ) -> Bool {
    if role == .streams { return !hasFolder && !value.outputs.isEmpty }
    return record.attempt > 0 || role == .results && !hasFolder
  }

  package func value(of kept: KeptOutput) -> Resumed {
    var resumed = Resumed()
    (resumed.isKept, resumed.result) = (true, kept.result.map { ResultContent($0) })
    switch kept.place {
    case .record(let output, let error):
      resumed.outputs = OutputPair(output: .inline(output), error: .inline(error))
    case .file(let place):
      guard let file = openFile else {
        resumed.outputs.output = .unavailable("the kept output cannot be opened")
        return resumed
      }
      resumed.outputs = OutputPair(output: place.output, error: place.error, of: file)
      if place.resultCount != nil {
        resumed.result = ResultContent(OutputFile(place.result, of: file))
      }
    }
    return resumed
  }
}

extension OutputPair {
  /// Ranges of a file; an empty one needs no file.
  fileprivate init(output: Range<Int64>, error: Range<Int64>, of file: OpenFile) {
    self.init(
      output: output.isEmpty ? .empty : .file(OutputFile(output, of: file)),
      error: error.isEmpty ? .empty : .file(OutputFile(error, of: file))
    )
  }
}

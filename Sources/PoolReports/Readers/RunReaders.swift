package import PoolEvents
import Synchronization

/// The readers of a run, and the one place that hands records to them.
///
/// Records come in order, and readers are told in the order of the list. A reader that writes to a
/// file, and cannot, ends the run.
package final class RunReaders: Sendable {
  /// A member of the list.
  package enum Member {
    /// It takes records of some kinds.
    case reader(any RunReader)
    /// It takes the ends of operations with what these have left.
    case taker(any OutcomeTaker)
    /// It takes records of some kinds, and the ends of operations with what these have left.
    case both(any RunReader & OutcomeTaker)

    fileprivate var kinds: RunRecord.Kinds {
      switch self {
      case .reader(let reader): reader.kinds
      case .both(let reader): reader.kinds
      case .taker: []
      }
    }

    fileprivate var file: (any LineFile)? {
      switch self {
      case .reader(let reader): reader as? any LineFile
      case .taker(let taker): taker as? any LineFile
      case .both(let reader): reader as? any LineFile
      }
    }
  }

  private struct State {
    var summary: SummaryReader
    var members: [(member: Member, kinds: RunRecord.Kinds)]
    /// Those that write lines to targets of their own.
    var files: [(file: any LineFile, takesEnd: Bool)]

    var hasFailed: Bool { files.contains { $0.file.sink.failure != nil } }

    func take(_ record: RunRecord) {
      let kind = record.kind
      for (member, kinds) in members where kinds.contains(kind) {
        switch member {
        case .reader(let reader): reader.take(record)
        case .both(let reader): reader.take(record)
        case .taker: break
        }
      }
    }

    func take(_ ended: EndedOperation, _ delivery: OutcomeDelivery) {
      for (member, kinds) in members {
        switch member {
        case .taker(let taker): taker.take(ended, delivery)
        case .both(let reader): reader.take(ended, delivery)
        case .reader(let reader) where kinds.contains(.settled):
          reader.take(.settled(ended.record, counts: delivery.isReported))
        case .reader: break
        }
      }
    }
  }

  /// The kinds that any reader takes; others need not be made.
  package let kinds: RunRecord.Kinds
  private let state: Mutex<State>
  /// Called when a file could not be written.
  private let failed: @Sendable () -> Void

  /// The summary comes last.
  package init(
    _ members: sending [Member],
    _ summary: sending SummaryReader,
    failed: @escaping @Sendable () -> Void
  ) {
    let all = (members + [.both(summary)]).map { (member: $0, kinds: $0.kinds) }
    let files = all.compactMap { member, kinds in
      member.file.map { (file: $0, takesEnd: kinds.contains(.runEnded)) }
    }
    kinds = all.reduce(into: []) { $0.formUnion($1.kinds) }
    state = Mutex(State(summary: summary, members: all, files: files))
    self.failed = failed
  }

  /// Hands a record to all readers of its kind.
  package func take(_ record: RunRecord) {
    guard kinds.contains(record.kind) else { return }
    let hasFailed = state.withLock { state in
      state.take(record)
      return state.hasFailed
    }
    if hasFailed { failed() }
  }

  /// Hands an outcome to those that take it with what the operation has left, and its record to the
  /// others.
  package func take(_ ended: EndedOperation, _ delivery: OutcomeDelivery) {
    let hasFailed = state.withLock { state in
      state.take(ended, delivery)
      return state.hasFailed
    }
    if hasFailed { failed() }
  }

  /// The counts of the run so far.
  package var summary: Summary { state.withLock { $0.summary.summary } }

  /// Writes gathered lines.
  package func flush() {
    let hasFailed = state.withLock { state in
      for (file, _) in state.files { file.flush() }
      return state.hasFailed
    }
    if hasFailed { failed() }
  }

  /// The run has ended: tells readers whose lines go to a stream with other content, or all others
  /// that take the end.
  ///
  /// Such a stream is closed before the exit code is final.
  package func end(_ end: RunEnded, onSharedStreams isShared: Bool) {
    state.withLock { state in
      for (file, takesEnd) in state.files where takesEnd && file.sink.isShared == isShared {
        (file as? any RunReader)?.take(.runEnded(end))
        file.flush()
      }
      guard !isShared else { return }
      for (member, kinds) in state.members where kinds.contains(.runEnded) && member.file == nil {
        if case .reader(let reader) = member { reader.take(.runEnded(end)) }
      }
    }
  }

  /// Hands over the rest of the lines of readers that take the run's end, or of all others; says
  /// how each target has ended.
  package func close(takingEnd: Bool) -> [LineSink.End] {
    state.withLock { state in
      state.files.filter { $0.takesEnd == takingEnd }.map { file, _ in
        file.flush()
        return file.sink.close()
      }
    }
  }

  /// Outputs were not printed, and that could not be said elsewhere.
  package func noteUnprinted(_ count: Int, run: [UInt8]?) {
    state.withLock { state in
      for (file, _) in state.files { file.noteUnprinted(count, run: run) }
    }
  }
}

/// Writes lines to a target of its own.
protocol LineFile: AnyObject {
  var sink: LineSink { get }

  /// Writes the gathered lines, or hands them over.
  func flush()

  /// Outputs were not printed, and that could not be said elsewhere; with a journal, a later run
  /// recognizes the line by the run.
  func noteUnprinted(_ count: Int, run: [UInt8]?)
}

extension LineFile {
  /// Lines are written at once.
  func flush() {}

  func noteUnprinted(_ count: Int, run: [UInt8]?) {}
}

import PoolSystem

/// Waits until threads have written their output, or until the run no longer waits.
///
/// A thread without a reader stays in its system call. It holds no lock and no other thread waits
/// for it, so the process can exit nevertheless. Nothing else ends a write to a pipe, a stopped
/// terminal or a socket without changing a file description that the user's other programs share.
package final class StreamReaderWait: Sendable {
  /// A thread that may be waited for.
  package enum Writer: Hashable, Sendable {
    /// Outputs and messages.
    case outputs
    /// Lines with a thread of their own.
    case lines(TargetLines)
    /// The last lines of the run.
    case words
    /// Large outputs on their way to files.
    case storage
    /// The last syncs of targets.
    case syncs
  }

  private struct State {
    var policy = SlowReaderPolicy()
    /// The same for ``Writer/storage`` and ``Writer/syncs``: a file has no reader who may be slow
    /// on purpose.
    var storagePolicy = SlowReaderPolicy()
    var over: Set<Writer> = []
    /// Number of changes.
    var version = 0
  }

  private let state = Monitor(State())

  package init() {}

  /// Outputs are not stored any more, unless that is done soon.
  package func endStorage() {
    change { $0.storagePolicy.end(at: MonotonicClock.now) }
  }

  /// The user has asked for the end of the run, and may ask again.
  package func ask() {
    change { $0.policy.ask(at: MonotonicClock.now) }
  }

  /// The run must end in this many nanoseconds.
  package func end(in nanoseconds: Int64 = 0) {
    let time = MonotonicClock.time(in: nanoseconds)
    change { state in
      state.policy.end(at: time)
      state.storagePolicy.end(at: time)
    }
  }

  /// The thread has started, and has not ended.
  package func note(startOf writer: Writer) {
    change { $0.over.remove(writer) }
  }

  /// The thread has ended.
  package func note(endOf writer: Writer) {
    change { $0.over.insert(writer) }
  }

  /// Waits for the end of a thread.
  ///
  /// - Parameters:
  ///   - writer: The thread.
  ///   - start: When only the readers were left.
  ///   - grace: How long to wait at least.
  ///   - tell: Called at most once in all; tells the user what the run waits for.
  /// - Returns: Whether the thread ended.
  package func wait(
    for writer: Writer,
    since start: Int64,
    grace: Int64 = SlowReaderPolicy.grace,
    tell: () -> Void = {}
  ) -> Bool {
    while true {
      let (isOver, advice, version) = state.withLock { state in
        let isOver = state.over.contains(writer)
        let now = MonotonicClock.now
        let isStorage = writer == .storage || writer == .syncs
        let policy = isStorage ? state.storagePolicy : state.policy
        let advice: SlowReaderPolicy.Advice =
          isOver ? .giveUp : policy.advice(since: start, grace: grace, at: now)
        if advice == .tell { state.policy.noteTold() }
        return (isOver, advice, state.version)
      }
      if isOver { return true }
      switch advice {
      case .wait(let time): _ = state.wait(until: time, while: { $0.version == version })
      case .tell: tell()
      case .giveUp: return false
      }
    }
  }

  private func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      state.version += 1
    }
    state.broadcast()
  }
}

import PoolSystem

/// Waits until threads have written what they had to write, or the run does not wait any longer.
///
/// A thread that nobody reads from stays in its system call. It holds no lock and no other thread
/// waits for it, so the process can end around it; nothing else ends a write to a pipe, a stopped
/// terminal or a socket alike without changing what the user's other programs share.
final class ReaderWait: Sendable {
  /// What may be waited for.
  struct Party: OptionSet, Sendable {
    var rawValue: UInt8

    /// Outputs and messages.
    static let outputs = Self(rawValue: 1)
    /// The results, where they have a thread of their own.
    static let results = Self(rawValue: 2)
    /// What is said at the end.
    static let words = Self(rawValue: 4)
  }

  private struct State {
    var patience = ReaderPatience()
    var over: Party = []
    /// How often something has changed.
    var version = 0
  }

  private let state = Monitor(State())

  /// The user has asked the run to end, and may ask again.
  func ask() {
    change { $0.patience.ask(at: MonotonicClock.now) }
  }

  /// The run is to end in so many nanoseconds.
  func end(in nanoseconds: Int64 = 0) {
    change { $0.patience.end(at: MonotonicClock.now + nanoseconds) }
  }

  /// That has begun, and not come to its end.
  func note(startOf party: Party) {
    change { $0.over.remove(party) }
  }

  /// That has come to its end.
  func note(endOf party: Party) {
    change { $0.over.insert(party) }
  }

  /// Waits for the end of something.
  ///
  /// - Parameters:
  ///   - party: What is waited for.
  ///   - start: When nothing was left but to wait.
  ///   - grace: How long it is waited for at least.
  ///   - tell: Called at most once in all: says what the run waits for.
  /// - Returns: Whether the end came.
  func wait(
    for party: Party,
    since start: Int64,
    grace: Int64 = ReaderPatience.grace,
    tell: () -> Void = {}
  ) -> Bool {
    while true {
      let (isOver, advice, version) = state.withLock { state in
        let isOver = state.over.contains(party)
        let now = MonotonicClock.now
        let advice: ReaderPatience.Advice =
          isOver ? .giveUp : state.patience.advice(since: start, grace: grace, at: now)
        if advice == .tell { state.patience.noteTold() }
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

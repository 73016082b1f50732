import PoolSystem

/// The tokens of a jobserver: reads them while operations wait for one, and gives them back.
///
/// Reading waits on a thread of its own, so that neither the coordinator nor the gate does.
final class JobTokens: Sendable {
  private struct State {
    var ledger = TokenLedger()
    /// Whether the thread reads just now, and may come back with a token.
    var isReading = false
  }

  private let pipe: TokenPipe
  private let state = Monitor(State())

  init(_ pipe: TokenPipe) {
    self.pipe = pipe
  }

  /// The ends of the pipe, which commands must inherit; nil for a FIFO.
  var ends: Descriptors.PipeEnds? { pipe.ends }

  /// Starts the thread; calls the closure after each token that it has read.
  func open(_ arrived: @escaping @Sendable () -> Void) throws(SystemFailure) {
    try SystemThread.start(name: "opool-tokens", mask: .full) {
      while self.waitUntilWanted() {
        self.pipe.wait()
        guard self.beginReading() else { continue }
        do throws(SystemFailure) {
          if self.endReading(try self.pipe.take()) { arrived() }
        } catch {
          // The run goes on with the tokens that it has.
          _ = self.endReading(nil)
          return
        }
      }
    }.detach()
  }

  /// Whether there is a token for one more operation beside so many slots in use.
  func covers(_ slots: Int) -> Bool { state.withLock { $0.ledger.covers(slots) } }

  /// So many slots are in use; one more operation may be waiting for a token.
  func note(_ slots: Int, isWaiting: Bool) {
    let (surplus, isWanted) = state.withLock { state in
      (state.ledger.note(slots, isWaiting: isWaiting), state.ledger.wantsToken)
    }
    if isWanted { state.broadcast() }
    if !surplus.isEmpty { pipe.give(surplus) }
  }

  /// Gives all tokens back: nothing executes any more, or this process ends at once.
  func close() {
    let surplus = state.withLock { $0.ledger.close() }
    state.broadcast()
    if !surplus.isEmpty { pipe.give(surplus) }
    // A token that is being read is given back, too, before this process ends.
    if !pipe.mayBlock { state.wait(while: { $0.isReading }, then: { _ in }) }
  }
}

extension JobTokens {
  /// Waits until a token is wanted; false when the run is over.
  private func waitUntilWanted() -> Bool {
    state.wait(
      while: { !$0.ledger.wantsToken && !$0.ledger.isClosed },
      then: { !$0.ledger.isClosed }
    )
  }

  /// Whether a token is still wanted.
  private func beginReading() -> Bool {
    state.withLock { state in
      state.isReading = state.ledger.wantsToken
      return state.isReading
    }
  }

  /// Keeps the token, or gives it back; returns whether it was kept.
  private func endReading(_ token: UInt8?) -> Bool {
    let surplus = state.withLock { state in token.map { state.ledger.take($0) } }
    if let surplus, !surplus.isEmpty { pipe.give(surplus) }
    state.withLock { $0.isReading = false }
    state.broadcast()
    return surplus?.isEmpty == true
  }
}

import PoolModel
import PoolSystem
import Synchronization

/// The tokens of a jobserver: reads them while operations wait for one, and gives them back.
///
/// Reading waits on a thread of its own, so that neither the coordinator nor the gate does.
final class JobTokens: Sendable {
  private struct State {
    var ledger = TokenLedger()
    /// Whether the thread reads just now, and may come back with a token.
    var isReading = false
    /// Number of threads that are giving tokens back, which the ledger no longer has.
    var giverCount = 0
    /// Tokens for which the pipe had no room at the end.
    var lostCount = 0

    mutating func countGiver(of tokens: [UInt8]) {
      if !tokens.isEmpty { giverCount += 1 }
    }
  }

  /// Nanoseconds for room in the parent's pipe at the end: 250 ms.
  ///
  /// There is room at once, unless other bytes than tokens were written to the pipe.
  private static let grace = Int64.milliseconds(250)

  private let pipe: TokenPipe
  /// Whether this process made the pipe: then the tokens end with it.
  private let isServer: Bool
  private let state = Monitor(State())
  /// Held while all tokens are given back: whatever ends the process waits for that.
  private let closing = Mutex(())

  init(_ pipe: TokenPipe, isServer: Bool = false) {
    self.pipe = pipe
    self.isServer = isServer
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

  /// Whether there is a token for one more operation in addition to this number of slots in use.
  func covers(_ slots: Int) -> Bool { state.withLock { $0.ledger.covers(slots) } }

  /// So many slots are in use; one more operation may be waiting for a token.
  func note(_ slots: Int, isWaiting: Bool) {
    let (surplus, isWanted) = state.withLock { state in
      let surplus = state.ledger.note(slots, isWaiting: isWaiting)
      state.countGiver(of: surplus)
      return (surplus, state.ledger.wantsToken)
    }
    if isWanted { state.broadcast() }
    give(surplus)
  }

  /// Gives all tokens back: nothing executes any longer, or this process ends at once.
  ///
  /// Waits a short time for room in the parent's pipe.
  func close() { closing.withLock { _ in giveAll() } }

  private func giveAll() {
    var rest = state.withLock { $0.ledger.close() }[...]
    state.broadcast()
    // A token that is being read, or given back, is in the pipe before this process ends.
    if !pipe.mayBlock { state.wait(while: { $0.isReading }, then: { _ in }) }
    _ = state.wait(until: MonotonicClock.now + Self.grace) { $0.giverCount > 0 }
    rest = pipe.give(Array(rest) + state.withLock { $0.ledger.close() })
    guard !isServer else { return }
    let deadline = MonotonicClock.now + Self.grace
    while !rest.isEmpty, pipe.waitForRoom(until: deadline) { rest = pipe.give(Array(rest)) }
    state.withLock { $0.lostCount += rest.count }
  }

  /// A warning about tokens that the parent has lost; nil if none is lost.
  var warning: String? {
    let count = state.withLock { $0.lostCount }
    guard count > 0 else { return nil }
    let tokens = count == 1 ? "a token" : "\(count) tokens"
    return "opool: warning: the jobserver lacks \(tokens) now: its pipe is full"
  }
}

extension JobTokens {
  /// Gives tokens back; those for which there is no room now are given back later.
  ///
  /// The caller has counted itself as a giver of them.
  private func give(_ tokens: [UInt8]) {
    guard !tokens.isEmpty else { return }
    let rest = pipe.give(tokens)
    let isLast = state.withLock { state in
      state.giverCount -= 1
      if !rest.isEmpty { state.ledger.keep(rest) }
      return state.giverCount == 0 && state.ledger.isClosed
    }
    if isLast { state.broadcast() }
  }

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
    let surplus = state.withLock { state in
      let surplus = token.map { state.ledger.take($0) } ?? []
      state.countGiver(of: surplus)
      return surplus
    }
    give(surplus)
    state.withLock { $0.isReading = false }
    state.broadcast()
    return token != nil && surplus.isEmpty
  }
}

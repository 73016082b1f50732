import Dispatch
import PoolSystem
import Synchronization

/// What is called when an operation has finished.
///
/// A struct, because a bare closure is wrapped, in memory of its own, by each generic function that
/// it goes through.
struct CompletionBlock: Sendable {
  let call: @Sendable () -> Void
  /// The operation, once it has finished: it lives until the block has returned.
  var operation: PoolOperation?

  func callAsFunction() { withExtendedLifetime(operation, call) }
}

/// The completion blocks of the operations that end in one turn of the loop: one call of Dispatch
/// for all, because a call for each costs more than most blocks.
///
/// Blocks of queues with a ``PoolOperationQueue/underlyingQueue`` are not included: they are
/// handed over before a thread that waits for the operation's queue wakes.
final class CompletionBlocks: Sendable {
  /// How long blocks wait for those before them, in nanoseconds.
  private static let patience = Int64.milliseconds(1)

  private let state = Mutex(State())

  private struct State {
    var blocks: [CompletionBlock] = []
    /// The rounds that are looked at when the first of them has had its time.
    var watched: [CompletionRound] = []
  }

  /// Adds a block, which is called at the end of the turn.
  func append(_ block: CompletionBlock) {
    state.withLock { $0.blocks.append(block) }
  }

  /// Hands over all blocks; called at the end of the turn.
  func callAll() {
    let blocks = state.withLock { state -> [CompletionBlock] in
      guard !state.blocks.isEmpty else { return [] }
      defer { state.blocks = [] }
      return state.blocks
    }
    guard let first = blocks.first else { return }
    guard blocks.count > 1 else { return DispatchQueue.global().async { first() } }
    let round = CompletionRound(blocks, until: MonotonicClock.now + Self.patience)
    DispatchQueue.global().async { round.callAll() }
    let isFirst = state.withLock { state in
      state.watched.append(round)
      return state.watched.count == 1
    }
    if isFirst { look(after: Self.patience) }
  }

  /// Looks at the rounds later: there is one timer for all of them, because setting one costs more
  /// than most rounds.
  private func look(after nanoseconds: Int64) {
    DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(nanoseconds))) {
      self.look(at: MonotonicClock.now)
    }
  }

  /// Helps the rounds whose time is over.
  private func look(at now: Int64) {
    let (due, next) = state.withLock { state in
      let due = state.watched.prefix { $0.deadline <= now }
      state.watched.removeFirst(due.count)
      return (Array(due), state.watched.first?.deadline)
    }
    for round in due { round.help() }
    if let next { look(after: max(next - now, 0)) }
  }
}

/// Blocks that are called one after another on a thread of Dispatch.
///
/// They may wait for one another: blocks that have not begun in time get a call each.
private final class CompletionRound: Sendable {
  let deadline: Int64
  private let blocks: [CompletionBlock]
  private let next = Atomic(0)

  init(_ blocks: [CompletionBlock], until deadline: Int64) {
    self.blocks = blocks
    self.deadline = deadline
  }

  func callAll() { while callNext() {} }

  /// Gives each block that has not begun a call of its own.
  func help() {
    let rest = max(blocks.count - next.load(ordering: .relaxed), 0)
    for _ in 0..<rest { DispatchQueue.global().async { _ = self.callNext() } }
  }

  /// Calls the next block; false if all have begun.
  private func callNext() -> Bool {
    let index = next.add(1, ordering: .relaxed).oldValue
    guard index < blocks.count else { return false }
    blocks[index]()
    return true
  }
}

import Dispatch
import Synchronization

/// The completion blocks of the operations that end in one turn of the loop: one call of Dispatch
/// for all, because a call for each costs more than most blocks.
///
/// Blocks of queues with an ``PoolOperationQueue/underlyingQueue`` are not included: they are
/// handed over before a thread that waits for the operation's queue wakes.
final class CompletionBlocks: Sendable {
  typealias Block = @Sendable () -> Void

  private let blocks = Mutex<[Block]>([])

  /// Adds a block, which is called at the end of the turn.
  func append(_ block: @escaping Block) {
    blocks.withLock { $0.append(block) }
  }

  /// Hands over all blocks; called at the end of the turn.
  func callAll() {
    let blocks = blocks.withLock { blocks -> [Block] in
      guard !blocks.isEmpty else { return [] }
      defer { blocks = [] }
      return blocks
    }
    if !blocks.isEmpty { CompletionRound(blocks).call() }
  }
}

/// Blocks that are called one after another on a thread of Dispatch.
///
/// They may wait for one another: blocks that have not begun after a millisecond get a call each.
private final class CompletionRound: Sendable {
  private static let patience = DispatchTimeInterval.milliseconds(1)

  private let blocks: [CompletionBlocks.Block]
  private let next = Atomic(0)

  init(_ blocks: [CompletionBlocks.Block]) {
    self.blocks = blocks
  }

  func call() {
    let queue = DispatchQueue.global()
    guard blocks.count > 1 else { return queue.async(execute: blocks[0]) }
    queue.async { while self.callNext() {} }
    queue.asyncAfter(deadline: .now() + Self.patience) {
      for _ in 0..<self.restCount { queue.async { _ = self.callNext() } }
    }
  }

  private var restCount: Int { max(blocks.count - next.load(ordering: .relaxed), 0) }

  /// Calls the next block; false if all have begun.
  private func callNext() -> Bool {
    let index = next.add(1, ordering: .relaxed).oldValue
    guard index < blocks.count else { return false }
    blocks[index]()
    return true
  }
}

import Synchronization

/// The blocks of one execution that do not suspend, distributed to threads.
final class BlockRound: ThreadWork {
  /// A block, and its number among all blocks of the operation.
  typealias Block = (index: Int, body: @Sendable () throws -> Void)
  /// The error of the first block that threw.
  typealias Failure = (index: Int, error: any Error)

  private struct Standing {
    var hasBegun = false
    var next = 0
    var unfinished: Int
    var failure: Failure?
  }

  /// Maximum number of blocks that execute at once.
  private static let threadLimit = 64

  private let blocks: [Block]
  private let execution: BlockExecution
  private let begin: @Sendable () -> Bool
  private let end: @Sendable (Failure?) -> Void
  private let standing: Mutex<Standing>

  /// Creates a round; the first thread calls `begin`, which says whether the blocks are to be
  /// executed, and that of the last block `end`.
  init(
    _ blocks: [Block],
    of execution: BlockExecution,
    begin: @escaping @Sendable () -> Bool,
    end: @escaping @Sendable (Failure?) -> Void
  ) {
    self.blocks = blocks
    self.execution = execution
    self.begin = begin
    self.end = end
    standing = Mutex(Standing(unfinished: blocks.count))
  }

  /// Executes blocks until none is left; the first thread fetches more threads.
  func execute() {
    if isFirst() {
      guard begin() else { return }
      guard !blocks.isEmpty else { return end(nil) }
      for _ in 1..<min(blocks.count, Self.threadLimit) {
        // If no further thread can be started, the existing ones execute all blocks.
        try? execution.submit(self)
      }
    }
    work()
  }

  private func work() {
    BlockExecution.$current.withValue(execution) {
      while let index = take() {
        let error = BlockExecution.error(of: blocks[index].body)
        if isLast(index, error) { end(standing.withLock { $0.failure }) }
      }
    }
  }

  private func isFirst() -> Bool {
    standing.withLock { standing in
      defer { standing.hasBegun = true }
      return !standing.hasBegun
    }
  }

  private func take() -> Int? {
    standing.withLock { standing in
      guard standing.next < blocks.count else { return nil }
      standing.next += 1
      return standing.next - 1
    }
  }

  /// A block has ended; returns whether it was the last one.
  private func isLast(_ place: Int, _ error: (any Error)?) -> Bool {
    let index = blocks[place].index
    return standing.withLock { standing in
      if let error, index < (standing.failure?.index ?? .max) { standing.failure = (index, error) }
      standing.unfinished -= 1
      return standing.unfinished == 0
    }
  }
}

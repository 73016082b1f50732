import Dispatch
import PoolSystem
import Synchronization

/// One thread's part in a round.
///
/// `@unchecked Sendable`: only the thread uses it.
final class BlockRoundThread: ThreadWork, @unchecked Sendable {
  private let round: BlockRound
  /// The block that the thread executes.
  @exclusivity(unchecked) private var place: Int?

  init(of round: BlockRound) { self.round = round }

  func execute() { execute(on: round.ownThread) }

  func execute(on thread: BlockThread) { round.execute(on: thread) { self.place = $0 } }

  func threadEnded() { if let place { round.threadEnded(at: place) } }
}

/// The blocks of one execution that do not suspend, distributed to threads.
final class BlockRound: Sendable {
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
  private let end: @Sendable (Failure?, BlockThread) -> Void
  private let standing: Mutex<Standing>

  /// Creates a round; the first thread calls `begin`, which says whether the blocks are to be
  /// executed, and that of the last block `end`, with what thread it is.
  init(
    _ blocks: [Block],
    of execution: BlockExecution,
    begin: @escaping @Sendable () -> Bool,
    end: @escaping @Sendable (Failure?, BlockThread) -> Void
  ) {
    self.blocks = blocks
    self.execution = execution
    self.begin = begin
    self.end = end
    standing = Mutex(Standing(unfinished: blocks.count))
  }

  /// The thread of the thread pool that executes blocks.
  var ownThread: BlockThread { execution.ownThread }

  /// Executes blocks until none is left, and tells the places of the blocks that it begins; the
  /// first thread fetches more threads.
  func execute(on thread: BlockThread, _ note: (Int) -> Void) {
    if isFirst() {
      guard begin() else { return }
      guard !blocks.isEmpty else { return end(nil, thread) }
      for _ in 1..<min(blocks.count, Self.threadLimit) {
        // If no further thread can be started, the existing ones execute all blocks.
        try? execution.submit(BlockRoundThread(of: self))
      }
    }
    var isOver = false
    BlockExecution.$current.withValue(execution) {
      while let place = take() {
        note(place)
        isOver = isLast(place, BlockExecution.error(of: blocks[place].body))
      }
    }
    if isOver { end(standing.withLock { $0.failure }, thread) }
  }

  /// Executes blocks of an operation that has begun on one more thread.
  func addThread() {
    let thread = BlockRoundThread(of: self)
    do throws(SystemFailure) {
      try execution.submit(thread)
    } catch {
      // A thread of Dispatch executes one block after another.
      DispatchQueue.global().async { thread.execute(on: .foreign) }
    }
  }

  /// A block has ended its thread: another thread does the rest.
  func threadEnded(at place: Int) {
    if isLast(place, ThreadEnded()) { end(standing.withLock { $0.failure }, .ending) }
    if standing.withLock({ $0.next < blocks.count }) { addThread() }
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

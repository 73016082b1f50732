import Foundation
import OperationPool
import Synchronization

/// Blocks of this process: ours beside Foundation's queue, and those that suspend beside a task
/// group.
enum Blocks {
  private static let width = 4

  /// Alternates all, and prints the operations a second of each round.
  static func compare(count: Int, rounds: Int) async throws {
    let queue = PoolOperationQueue(fleet: try PoolFleet())
    queue.maxConcurrentOperationCount = width
    let wide = PoolOperationQueue(fleet: queue.fleet)
    _ = try blocks(queue, 100)
    _ = try tasks(queue, 100)
    for _ in 0..<rounds {
      Figures.say("foundation", foundation(count))
      Figures.say("blocks", try blocks(queue, count))
      Figures.say("group", await group(count))
      Figures.say("tasks", try tasks(queue, count))
      Figures.say("tasks.wide", try tasks(wide, count))
    }
    for _ in 0..<rounds {
      Figures.say("foundation.busy", foundation(count / 10, busy))
      Figures.say("blocks.busy", try blocks(queue, count / 10, busy))
    }
  }

  /// Executes blocks alone, for a profiler: such that suspend, or else such that do not.
  static func profile(count: Int, width: Int, suspending: Bool) throws {
    let queue = PoolOperationQueue(fleet: try PoolFleet())
    queue.maxConcurrentOperationCount = width
    _ = try tasks(queue, 100)
    let rate = suspending ? try tasks(queue, count) : try blocks(queue, count)
    Figures.say(suspending ? "tasks" : "blocks", rate)
  }

  /// What takes about 20 µs.
  private static func busy() {
    let end = DispatchTime.now().uptimeNanoseconds + 20_000
    while DispatchTime.now().uptimeNanoseconds < end {}
  }

  private static func blocks(
    _ queue: PoolOperationQueue,
    _ count: Int,
    _ body: @escaping @Sendable () -> Void = {}
  ) throws -> Double {
    let operations = (0..<count).map { _ in PoolBlockOperation(body) }
    return try rate(of: operations, in: queue)
  }

  private static func tasks(_ queue: PoolOperationQueue, _ count: Int) throws -> Double {
    let operations = (0..<count).map { _ in PoolBlockOperation { () async in } }
    return try rate(of: operations, in: queue)
  }

  private static func rate(of operations: [PoolOperation], in queue: PoolOperationQueue) throws
    -> Double
  {
    let seconds = try Figures.seconds {
      try queue.addOperations(operations)
      try queue.waitUntilAllOperationsAreFinished()
    }
    precondition(operations.allSatisfy { $0.outcome?.ending == .succeeded }, "all succeeded")
    return Double(operations.count) / seconds
  }

  private static func foundation(
    _ count: Int,
    _ body: @escaping @Sendable () -> Void = {}
  ) -> Double {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = width
    let operations = (0..<count).map { _ in BlockOperation(block: body) }
    let seconds = Figures.seconds { queue.addOperations(operations, waitUntilFinished: true) }
    return Double(count) / seconds
  }

  private static func group(_ count: Int) async -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<count { group.addTask {} }
    }
    return Double(count) / ((clock.now - start) / .seconds(1))
  }
}

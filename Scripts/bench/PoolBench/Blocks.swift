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

  /// Alternates ours and Foundation's queue of the same width, with blocks of these lengths; prints
  /// the operations a second, and our context switches per operation.
  static func compareWidths(count: Int, rounds: Int) throws {
    let fleet = try PoolFleet()
    for width in [1, 2, 4] {
      let queue = PoolOperationQueue(fleet: fleet)
      queue.maxConcurrentOperationCount = width
      for length in [0, 5, 50] {
        let count = length == 50 ? count / 5 : count
        for _ in 0..<rounds { try compare(queue, count, microseconds: length) }
      }
    }
  }

  private static func compare(
    _ queue: PoolOperationQueue,
    _ count: Int,
    microseconds: Int
  ) throws {
    let body: @Sendable () -> Void = {
      if microseconds > 0 { busy(microseconds * 1_000) }
    }
    let width = queue.maxConcurrentOperationCount
    let key = "\(width).\(microseconds)"
    Figures.say("foundation.\(key)", foundation(count, width: width, body))
    _ = try blocks(queue, 100, body)
    let switches = Figures.contextSwitches
    Figures.say("blocks.\(key)", try blocks(queue, count, body))
    let difference = Figures.contextSwitches - switches
    Figures.say("switches.\(key)", Double(difference) / Double(count))
  }

  /// Executes blocks alone, for a profiler: such that suspend, or else such that do not.
  static func profile(count: Int, width: Int, suspending: Bool) throws {
    let queue = PoolOperationQueue(fleet: try PoolFleet())
    queue.maxConcurrentOperationCount = width
    _ = try tasks(queue, 100)
    let rate = suspending ? try tasks(queue, count) : try blocks(queue, count)
    Figures.say(suspending ? "tasks" : "blocks", rate)
  }

  /// What takes about 20 µs, or that many nanoseconds.
  private static func busy() { busy(20_000) }

  private static func busy(_ nanoseconds: Int) {
    let end = DispatchTime.now().uptimeNanoseconds + UInt64(nanoseconds)
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
    width: Int = width,
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

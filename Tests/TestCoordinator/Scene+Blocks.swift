import Foundation
import OperationPool

extension Scene {
  /// Queues are dropped with all their blocks before them: prints how many succeeded, how many
  /// children there were, whether threads served again, and what is left.
  static func blocks() async throws {
    _ = try await finishBlocks()
    let before = descriptorCount
    var seen = (succeeded: 0, children: 0, threads: 0)
    for _ in 0..<20 {
      let turn = try await finishBlocks()
      seen.succeeded += turn.succeeded
      seen.children += turn.children
      seen.threads = max(seen.threads, turn.threads)
    }
    print(seen.succeeded)
    print(seen.children)
    print(seen.threads < 50 ? "few" : "\(seen.threads)")
    print(await settle { poolThreadCount == 0 } ? "none" : "\(poolThreadCount)")
    print(await settle { descriptorCount <= before } ? "flat" : "\(descriptorCount - before)")
  }

  /// A queue of a hundred blocks, one after the other, is dropped; what is found when they have
  /// finished: successes, child processes, threads.
  private static func finishBlocks() async throws -> (succeeded: Int, children: Int, threads: Int) {
    let blocks = try droppedBlocks()
    var succeeded = 0
    for block in blocks where try await block.finished().ending == .succeeded { succeeded += 1 }
    return (succeeded, childCount, poolThreadCount)
  }

  private static func droppedBlocks() throws -> [PoolOperation] {
    let queue = try PoolOperationQueue(workers: testWorkers(2))
    queue.isSuspended = true
    let blocks: [PoolOperation] = (0..<100).map { index in
      index.isMultiple(of: 10)
        ? PoolBlockOperation { await Task.yield() } : PoolBlockOperation {}
    }
    for (next, previous) in zip(blocks.dropFirst(), blocks) { try next.addDependency(previous) }
    try queue.addOperations(blocks)
    return blocks
  }

  /// Threads of this process that pools have started.
  private static var poolThreadCount: Int {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.count { task in
      let name = try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
      return name?.hasPrefix("opool") == true
    }
  }
}

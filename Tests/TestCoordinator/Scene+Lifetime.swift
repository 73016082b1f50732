import Foundation
import OperationPool
import PoolModel

extension Scene {
  /// A queue is dropped with all its work before it: prints how that ended, and what is left.
  static func drop() async throws {
    let before = descriptorCount
    let operations = try dropped()
    var endings: [PoolEnding: Int] = [:]
    for operation in operations { endings[await operation.finished().ending, default: 0] += 1 }
    print(endings[.succeeded] ?? 0)
    print(await settle { childCount == 0 } ? "no process" : "\(childCount) processes")
    // The outcomes are kept, and the queue's pipes are not.
    print(
      await settle { descriptorCount <= before + 2 } ? "no pipe" : "\(descriptorCount - before)"
    )
  }

  private static func dropped() throws -> [PoolInvocationOperation] {
    let queue = try PoolOperationQueue(workers: testWorkers(2))
    queue.isSuspended = true
    let operations = (0..<200).map { _ in PoolInvocationOperation(kind: "noop") }
    for (next, previous) in zip(operations.dropFirst(), operations) {
      next.addDependency(previous)
    }
    try queue.addOperations(operations)
    return operations
  }

  /// Queues come and go: prints whether the address space grew by less than their threads' stacks.
  static func queues() async throws {
    try await visit(20)
    let before = addressSpace
    try await visit(200)
    // A stack is 8 MiB of address space; 200 that nobody gave back would be 1.6 GB.
    print(await settle { addressSpace - before < 800 << 20 } ? "flat" : "\(addressSpace - before)")
  }

  private static func visit(_ count: Int) async throws {
    for _ in 0..<count {
      _ = try PoolOperationQueue(workers: .executable(URL(filePath: "/nowhere"), count: 1))
    }
    _ = await settle { threadCount < 20 }
  }

  private static var threadCount: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
  }

  private static var addressSpace: Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return (Int(text.split(separator: " ").first ?? "") ?? 0) * 4_096
  }
}

import Foundation
import OperationPool

extension Scene {
  /// Queues are dropped with all their work before them: prints how that ended, and what is left.
  static func drop() async throws {
    // What Foundation opens for good is opened for the first of all workers.
    _ = try await finishDropped()
    let before = descriptorCount
    var count = 0
    for _ in 0..<20 { count += try await finishDropped() }
    print(count)
    print(childCount)
    // A queue that were kept would keep two, and each of its workers three.
    print(await settle { descriptorCount < before + 20 } ? "flat" : "\(descriptorCount - before)")
  }

  /// How many operations of a queue succeed that is dropped; waits until its threads are gone.
  private static func finishDropped() async throws -> Int {
    var count = 0
    for operation in try dropped() where try await operation.finished().ending == .succeeded {
      count += 1
    }
    _ = await settle { childCount == 0 && threadCount < 10 }
    return count
  }

  private static func dropped() throws -> [PoolInvocationOperation] {
    let queue = try PoolOperationQueue(workers: testWorkers(2))
    queue.isSuspended = true
    let operations = (0..<50).map { _ in PoolInvocationOperation(kind: "noop") }
    for (next, previous) in zip(operations.dropFirst(), operations) {
      try next.addDependency(previous)
    }
    try queue.addOperations(operations)
    return operations
  }

  /// Queues come and go: prints whether the address space grew by less than their threads' stacks.
  static func queues() async throws {
    try await visit(20)
    let before = addressSpace
    try await visit(200)
    // A stack is 8 MiB of address space; 200 that were not given back would be 1.6 GB.
    print(await settle { addressSpace - before < 800 << 20 } ? "flat" : "\(addressSpace - before)")
  }

  private static func visit(_ count: Int) async throws {
    for _ in 0..<count {
      _ = try PoolOperationQueue(workers: .executable(URL(filePath: "/nowhere"), count: 1))
    }
    _ = await settle { threadCount < 20 }
  }

  /// Operations take what others make: prints whether the memory grew with their number.
  static func inputs() async throws {
    let rounds = CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 10
    let queue = try PoolOperationQueue(workers: testWorkers(2))
    for _ in 0..<2 { try await handOver(1_000, in: queue) }
    let before = residentMemory
    for _ in 0..<rounds { try await handOver(1_000, in: queue) }
    // What 10,000 makers have made is 80 MB.
    let growth = residentMemory - before
    print(growth < 30 << 20 ? "flat" : "\(growth)")
  }

  private static func handOver(_ count: Int, in queue: PoolOperationQueue) async throws {
    let text = Array("\"\(String(repeating: "x", count: 8_000))\"".utf8)
    for _ in 0..<count {
      let maker = PoolInvocationOperation(kind: "echo", payload: text)
      let taker = PoolInvocationOperation(kind: "noop")
      try taker.addInput("x", from: maker)
      try queue.addOperations([taker, maker])
    }
    try await queue.allOperationsFinished()
  }

  private static var residentMemory: Int { memory(1) }

  static var threadCount: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
  }

  private static var addressSpace: Int { memory(0) }

  /// Bytes, of the sort that has this place among the system's counts of pages.
  private static func memory(_ place: Int) -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let counts = text.split(separator: " ")
    return (counts.count > place ? Int(counts[place]) ?? 0 : 0) * 4_096
  }
}

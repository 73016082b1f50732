import Foundation
import OperationPool
import OperationWorker
import PoolModel
import PoolSystem

extension Scene {
  private static func operations(
    _ kind: String,
    _ payload: String = "null",
    count: Int
  ) -> [PoolInvocationOperation] {
    (0..<count).map { _ in PoolInvocationOperation(kind: kind, payload: Array(payload.utf8)) }
  }

  /// The program is its own worker: prints whether another process of it executed.
  static func ownWorker() async throws {
    let queue = try PoolOperationQueue(workers: .thisExecutable(count: 2))
    let operation = PoolInvocationOperation(kind: "pid")
    try queue.addOperation(operation)
    let text = String(decoding: try await operation.finished().result ?? [], as: UTF8.self)
    let pid = Int32(text)
    print(
      pid != nil && pid != ProcessInfo.processInfo.processIdentifier ? "another" : "not: \(text)"
    )
  }

  /// Too few descriptors are left: prints how the pool says so, and whether 0 is still open.
  static func starve() async throws {
    let queue = try PoolOperationQueue(workers: testWorkers(1))
    let operation = PoolInvocationOperation(kind: "noop")
    try queue.addOperation(operation)
    let failure = try await operation.finished().failure
    print(failure?.cause.rawValue ?? "succeeded")
    print(fcntl(0, F_GETFD) >= 0 ? "open" : "closed")
    // Holes among the lowest numbers do not hide how few are left.
    var opened: [Int32] = []
    while let descriptor = try? Descriptors.openNull() { opened.append(descriptor) }
    for descriptor in opened.prefix(3) { Descriptors.close(descriptor) }
    do throws(SystemFailure) {
      try DescriptorHeadroom.demand(16)
    } catch {
      print(error)
    }
  }

  /// 500 workers live and die: prints by how many the descriptors have grown.
  static func deaths() async throws {
    let queue = try PoolOperationQueue(workers: testWorkers(2))
    try await finish(operations("exit", "0", count: 10), in: queue)
    let before = descriptorCount
    try await finish(operations("exit", "0", count: 500), in: queue)
    _ = await settle { descriptorCount <= before }
    print(descriptorCount - before)
  }

  /// 100 launches fail: prints by how many the descriptors have grown.
  static func launches() async throws {
    // The first launch opens what the process keeps for good.
    let first = try PoolOperationQueue(workers: .executable(URL(filePath: "/tmp"), count: 1))
    try await finish(operations("noop", count: 1), in: first)
    let before = descriptorCount
    for path in ["/nowhere/worker", "/tmp", "/etc/passwd"] {
      for _ in 0..<34 {
        let workers = PoolWorkerConfiguration.executable(URL(filePath: path), count: 1)
        let queue = try PoolOperationQueue(workers: workers)
        try await finish(operations("noop", count: 1), in: queue)
      }
    }
    _ = await settle { descriptorCount <= before }
    print(descriptorCount - before)
  }

  /// Outcomes of commands with large outputs are kept: prints by how many descriptors have grown.
  static func outputs() async throws {
    let queue = try PoolOperationQueue(workers: .standard(count: 2))
    let commands = (0..<100).map { _ in PoolCommandOperation(shell: "head -c 100000 /dev/zero") }
    // The first half starts both workers.
    try await finish(Array(commands[..<50]), in: queue)
    let before = descriptorCount
    try await finish(Array(commands[50...]), in: queue)
    let sizes = Set(commands.map { $0.outcome?.standardOutput.count })
    _ = await settle { descriptorCount <= before }
    print(descriptorCount - before, sizes == [100_000])
  }

  private static func finish(
    _ operations: [PoolOperation],
    in queue: PoolOperationQueue
  ) async throws {
    try queue.addOperations(operations)
    for operation in operations { try await operation.finished() }
  }
}

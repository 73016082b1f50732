import Foundation
import OperationPool
import OperationWorker

/// What pools cost that have nothing to do, and what handles cost that wait.
enum Rest {
  static let kinds: [WorkerKind] = [
    .raw("linger") { _, _ in
      // Long enough for every other worker to be started.
      usleep(300_000)
      return Array("null".utf8)
    }
  ]

  /// Starts workers, says so, and rests until the input ends.
  static func idle(workers count: Int) throws {
    let queue = try PoolOperationQueue(workers: .thisExecutable(count: count))
    let operations = (0..<count).map { _ in PoolInvocationOperation(kind: "linger") }
    try queue.addOperations(operations, waitUntilFinished: true)
    Figures.say("workers", Double(Set(operations.compactMap { $0.outcome?.worker }).count))
    while readLine() != nil {}
    withExtendedLifetime(queue) {}
  }

  /// Prints the bytes, and the microseconds, of each operation that waits with three dependencies.
  static func handles(count: Int) throws {
    let queue = try PoolOperationQueue(workers: .thisExecutable(count: 1))
    queue.isSuspended = true
    let before = try residentBytes()
    var operations: [PoolInvocationOperation] = []
    operations.reserveCapacity(count)
    let seconds = try Figures.seconds {
      for number in 0..<count {
        let operation = PoolInvocationOperation(kind: "noop")
        for distance in [1, 7, 100] where distance <= number {
          try operation.addDependency(operations[number - distance])
        }
        operations.append(operation)
      }
      try queue.addOperations(operations)
    }
    Figures.say("bytes", Double(try residentBytes() - before) / Double(count))
    Figures.say("microseconds", seconds / Double(count) * 1e6)
    queue.cancelAllOperations()
    queue.isSuspended = false
    try queue.waitUntilAllOperationsAreFinished()
  }

  private static func residentBytes() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return (pages ?? 0) * Int(getpagesize())
  }
}

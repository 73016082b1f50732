import Foundation
import OperationPool
import OperationWorker

/// Counts the primes of a range: an operation of our own, executed in worker processes.
struct CountPrimes: WorkerOperation {
  static let kind = "count-primes"
  var range: Range<Int>

  func main(_ context: WorkerContext) throws -> Int {
    try range.count { candidate in
      try context.checkCancellation()
      return candidate > 1 && !(2..<candidate).contains { candidate % $0 == 0 }
    }
  }
}

@main
struct Example {
  static func main() async throws {
    // The coordinator starts this same program again as its workers; they stay in this line.
    if try PoolWorker.serveIfSpawned(.operation(CountPrimes.self)) { return }

    let queue = try PoolOperationQueue(workers: .thisExecutable(count: 2))
    let parts = stride(from: 0, to: 4_000, by: 1_000).map { start in
      PoolTypedOperation(CountPrimes(range: start..<(start + 1_000)))
    }
    try queue.addOperations(parts)
    var sum = 0
    for part in parts { sum += try await part.value }
    print("\(sum) primes below 4000")
  }
}

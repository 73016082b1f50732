import Foundation
import OperationPool
import OperationWorker

/// Operations that do nothing: ours in two worker processes, Foundation's in this one.
enum Noop {
  static let kinds: [WorkerKind] = [.raw("noop") { _, _ in Array("null".utf8) }]

  /// Executes ours alone.
  static func profile(count: Int, worker: String?) throws {
    let workers =
      worker.map { PoolWorkers.executable(URL(filePath: $0), count: 2) }
      ?? .thisExecutable(count: 2)
    let queue = try PoolOperationQueue(workers: workers)
    _ = try ours(queue, 100)
    print("pool \(Int(try ours(queue, count)))/s")
  }

  /// Alternates both, and prints each round and the median of the ratios.
  static func compare(count: Int, rounds: Int) throws {
    let queue = try PoolOperationQueue(workers: .thisExecutable(count: 2))
    _ = try ours(queue, 100)
    var ratios: [Double] = []
    for _ in 0..<rounds {
      let theirs = foundation(count)
      let our = try ours(queue, count)
      ratios.append(our / theirs)
      print("pool \(Int(our))/s   OperationQueue \(Int(theirs))/s   ratio \(our / theirs)")
    }
    print("median ratio over \(rounds) rounds: \(ratios.sorted()[rounds / 2])")
  }

  /// Operations a second through the pool's public face.
  private static func ours(_ queue: PoolOperationQueue, _ count: Int) throws -> Double {
    let operations = (0..<count).map { _ in PoolInvocationOperation(kind: "noop") }
    let seconds = try measure {
      try queue.addOperations(operations)
      try queue.waitUntilAllOperationsAreFinished()
    }
    for operation in operations {
      guard let outcome = operation.outcome, outcome.ending == .succeeded,
        outcome.workerDeaths.isEmpty
      else {
        let outcome = operation.outcome
        fatalError("\(String(describing: outcome?.failure)) after \(outcome?.workerDeaths ?? [])")
      }
    }
    return Double(count) / seconds
  }

  /// Operations a second through Foundation's queue, two at once.
  private static func foundation(_ count: Int) -> Double {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 2
    let operations = (0..<count).map { _ in BlockOperation {} }
    let seconds = measure { queue.addOperations(operations, waitUntilFinished: true) }
    return Double(count) / seconds
  }

  private static func measure(_ body: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    let elapsed = try clock.measure(body)
    return elapsed / .seconds(1)
  }
}

import Foundation
import OperationPool
import OperationWorker

/// Operations that do nothing: ours in two worker processes, Foundation's in this one, and the
/// frames alone.
enum Noop {
  static let kinds: [WorkerKind] = [.raw("noop") { _, _ in nothing }]

  /// `null`.
  private static let nothing: [UInt8] = [0x6E, 0x75, 0x6C, 0x6C]

  /// A queue for a profiler: where a width is given, it has one worker.
  static func queue(worker: String?, width: Int?) throws -> PoolOperationQueue {
    let workerCount = width == nil ? 2 : 1
    let workers =
      worker.map { PoolWorkerConfiguration.executable(URL(filePath: $0), count: workerCount) }
      ?? .thisExecutable(count: workerCount)
    let queue = try PoolOperationQueue(workers: workers)
    queue.maxConcurrentOperationCount = width ?? -1
    _ = try ours(queue, 100)
    return queue
  }

  /// Executes ours alone, observed or not.
  static func profile(
    _ queue: PoolOperationQueue,
    count: Int,
    _ observer: Observed.Observer
  ) throws {
    Figures.say("pool", try ours(queue, count, observer))
  }

  /// Alternates all three, and prints the operations a second of each round.
  static func compare(count: Int, rounds: Int) throws {
    let queue = try PoolOperationQueue(workers: .thisExecutable(count: 2))
    _ = try ours(queue, 100)
    for _ in 0..<rounds {
      Figures.say("foundation", foundation(count))
      Figures.say("pool", try ours(queue, count))
      Figures.say("ceiling", try Ceiling.rate(count: count))
    }
  }

  /// Operations a second through the pool's public face.
  private static func ours(
    _ queue: PoolOperationQueue,
    _ count: Int,
    _ observer: Observed.Observer = .flat
  ) throws -> Double {
    let operations = (0..<count).map { _ in PoolInvocationOperation(kind: "noop") }
    let seconds = try Figures.seconds {
      // Converted once, as for each caller of `addOperations`: a conversion copies the array.
      let operations: [PoolOperation] = operations
      let finish = observer.begin(queue, operations)
      try queue.addOperations(operations)
      try queue.waitUntilAllOperationsAreFinished()
      finish()
    }
    for operation in operations {
      guard let outcome = operation.outcome, outcome.ending == .succeeded,
        outcome.workerDeaths.isEmpty
      else {
        // A figure of operations that did not succeed would say nothing.
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
    let seconds = Figures.seconds { queue.addOperations(operations, waitUntilFinished: true) }
    return Double(count) / seconds
  }
}

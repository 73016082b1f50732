import Foundation
import OperationPool
import OperationWorker

/// Operations that sleep for 10 ms, on many workers: what the coordinator takes for each.
enum Wide {
  static let kinds: [WorkerKind] = [
    .raw("nap") { _, _ in
      usleep(10_000)
      return Array("null".utf8)
    }
  ]

  /// Prints of each round the operations a second, and the microseconds of processor time that all
  /// threads of this process took for one.
  static func measure(workers: Int, rounds: Int) throws {
    let queue = try PoolOperationQueue(workers: .thisExecutable(count: workers))
    // About a second.
    let count = max(workers * 100, 1_000)
    try start(workers, of: queue)
    for _ in 0..<rounds {
      let (rate, processor) = try figures(queue, count)
      Figures.say("rate", rate)
      Figures.say("processor", processor)
    }
  }

  /// Goes on until every worker has executed something, or for long enough: starting one costs far
  /// more than that.
  private static func start(_ workers: Int, of queue: PoolOperationQueue) throws {
    var started: Set<WorkerID> = []
    for _ in 0..<5 where started.count < workers {
      let operations = (0..<workers * 20).map { _ in PoolInvocationOperation(kind: "nap") }
      try queue.addOperations(operations, waitUntilFinished: true)
      started.formUnion(operations.compactMap { $0.outcome?.worker })
    }
  }

  private static func figures(
    _ queue: PoolOperationQueue,
    _ count: Int
  ) throws -> (rate: Double, processor: Double) {
    let operations = (0..<count).map { _ in PoolInvocationOperation(kind: "nap") }
    let before = Figures.processorSeconds
    let seconds = try Figures.seconds {
      try queue.addOperations(operations, waitUntilFinished: true)
    }
    let processor = (Figures.processorSeconds - before) / Double(count)
    guard operations.allSatisfy({ $0.outcome?.ending == .succeeded }) else {
      fatalError("an operation did not succeed")
    }
    return (Double(count) / seconds, processor * 1e6)
  }
}

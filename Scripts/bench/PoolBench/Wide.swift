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
    // About a second, and enough of them for a few hundred workers to matter.
    let count = max(workers * 50, 2_000)
    _ = try figures(queue, max(workers * 20, 200))
    for _ in 0..<rounds {
      let (rate, processor) = try figures(queue, count)
      Figures.say("rate", rate)
      Figures.say("processor", processor)
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

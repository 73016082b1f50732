import Foundation
import OperationPool
import OperationWorker

/// Operations that do nothing and claim something, beside as many that claim nothing.
enum Claims {
  /// Alternates, and prints the operations a second of each round.
  static func compare(count: Int, rounds: Int) throws {
    let queue = try PoolOperationQueue(workers: .thisExecutable(count: 2))
    var exclusive = PoolOperationOptions()
    exclusive.exclusive = ["a"]
    var limited = PoolOperationOptions()
    limited.limits = [PoolLimit(2)]
    for round in 0...rounds {
      for (name, options) in [
        ("none", PoolOperationOptions()), ("exclusive", exclusive), ("limits", limited),
      ] {
        let rate = try rate(queue, count, options)
        if round > 0 { Figures.say(name, rate) }
      }
    }
  }

  private static func rate(
    _ queue: PoolOperationQueue,
    _ count: Int,
    _ options: PoolOperationOptions
  ) throws -> Double {
    let operations = (0..<count).map { _ in PoolInvocationOperation(kind: "noop", options: options)
    }
    let seconds = try Figures.seconds {
      try queue.addOperations(operations, waitUntilFinished: true)
    }
    return Double(count) / seconds
  }
}

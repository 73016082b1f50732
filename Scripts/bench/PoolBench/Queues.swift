import Foundation
import OperationPool
import OperationWorker

/// Operations that do nothing, in one queue, and the same number spread over many of one fleet, added
/// in as many batches.
enum Queues {
  /// Alternates, and prints the operations a second of each round.
  static func compare(count: Int, rounds: Int) throws {
    let fleet = try PoolFleet(.thisExecutable(count: 2))
    for round in 0...rounds {
      for batches in [1, 1_000, 10_000] {
        for queueCount in Set([1, batches]).sorted() {
          let queues = (0..<queueCount).map { _ in PoolOperationQueue(fleet: fleet) }
          let rate = try rate(queues, count, batches: batches)
          if round > 0 { Figures.say("\(batches).\(queueCount)", rate) }
        }
      }
      for depth in [10, 100, 1_000] {
        let rate = try nestedRate(depth, fleet)
        if round > 0 { Figures.say("nested.\(depth)", rate) }
      }
      let rate = try groupRate(fleet)
      if round > 0 { Figures.say("groups", rate) }
    }
  }

  /// Adds them in so many batches, to the queues in turn.
  private static func rate(
    _ queues: [PoolOperationQueue],
    _ count: Int,
    batches: Int
  ) throws -> Double {
    let operations = (0..<count).map { _ in PoolInvocationOperation(kind: "noop") }
    let share = count / batches
    let seconds = try Figures.seconds {
      for batch in 0..<batches {
        let part = Array(operations[batch * share..<(batch + 1) * share])
        try queues[batch % queues.count].addOperations(part)
      }
      for queue in queues { try queue.waitUntilAllOperationsAreFinished() }
    }
    return Double(count) / seconds
  }

  /// Groups in groups in groups, each with one operation beside the next group.
  private static func nestedRate(_ depth: Int, _ fleet: PoolFleet) throws -> Double {
    let queue = PoolOperationQueue(fleet: fleet)
    let seconds = try Figures.seconds {
      var group = try PoolGroupOperation(operations: [PoolInvocationOperation(kind: "noop")])
      for _ in 1..<depth {
        group = try PoolGroupOperation(operations: [
          PoolInvocationOperation(kind: "noop"), group,
        ])
      }
      try queue.addOperation(group)
      try queue.waitUntilAllOperationsAreFinished()
    }
    return Double(depth) / seconds
  }

  /// 100 groups of 100 groups in one, each with an operation.
  private static func groupRate(_ fleet: PoolFleet) throws -> Double {
    let queue = PoolOperationQueue(fleet: fleet)
    let seconds = try Figures.seconds {
      let groups = try (0..<100).map { _ in
        try PoolGroupOperation(
          operations: (0..<100).map { _ in
            try PoolGroupOperation(operations: [PoolInvocationOperation(kind: "noop")])
          }
        )
      }
      try queue.addOperation(try PoolGroupOperation(operations: groups))
      try queue.waitUntilAllOperationsAreFinished()
    }
    return 10_000 / seconds
  }
}

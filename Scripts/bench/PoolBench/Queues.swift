import Foundation
import OperationPool
import OperationWorker

/// Operations that do nothing, in one queue, and the same number spread over many of one fleet,
/// added in as many batches.
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
      for (name, groups) in [("flat", 0), ("groups", 100)] {
        let rate = try groupRate(fleet, groups: groups)
        if round > 0 { Figures.say(name, rate) }
      }
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

  /// 10,000 operations: each alone in a group of one of so many groups in one, or, of no groups, in
  /// the queue itself.
  private static func groupRate(_ fleet: PoolFleet, groups: Int) throws -> Double {
    let queue = PoolOperationQueue(fleet: fleet)
    let seconds = try Figures.seconds {
      let operations = (0..<10_000).map { _ in PoolInvocationOperation(kind: "noop") }
      try queue.addOperations(groups == 0 ? operations : [grouped(operations, in: groups)])
      try queue.waitUntilAllOperationsAreFinished()
    }
    return 10_000 / seconds
  }

  /// Puts each of some operations in a group of its own, and these in so many groups in one.
  private static func grouped(
    _ operations: [PoolOperation],
    in groups: Int
  ) throws -> PoolGroupOperation {
    let alone = try operations.map { try PoolGroupOperation(operations: [$0]) }
    let share = alone.count / groups
    return try PoolGroupOperation(
      operations: (0..<groups).map {
        try PoolGroupOperation(operations: Array(alone[$0 * share..<($0 + 1) * share]))
      }
    )
  }
}

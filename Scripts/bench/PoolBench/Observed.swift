import Foundation
import OperationPool
import Synchronization

/// Operations that do nothing, in two workers, with and without observers.
enum Observed {
  /// Alternates all, and prints the microseconds of an operation in each round.
  static func compare(count: Int, rounds: Int) throws {
    for _ in 0..<rounds {
      try measure("flat", count) { _, _ in {} }
      try measure("completion", count) { _, operations in
        let calls = Count()
        for operation in operations { operation.completionBlock = { calls.add(1) } }
        return { while calls.value < operations.count { sched_yield() } }
      }
      try measure("queue", count) { queue, _ in
        let transitions = queue.transitions
        let reader = Task { for await _ in transitions {} }
        return { reader.cancel() }
      }
      try measure("operation", count) { _, operations in
        let ends = Count()
        let streams = operations.map(\.transitions)
        Task {
          for stream in streams {
            for await _ in stream {}
            ends.add(1)
          }
        }
        return { while ends.value < operations.count { sched_yield() } }
      }
    }
  }

  /// Executes operations; `prepare` is not measured, and returns what is waited for in the end.
  private static func measure(
    _ name: String,
    _ count: Int,
    _ prepare: (PoolOperationQueue, [PoolOperation]) -> () -> Void
  ) throws {
    let queue = try PoolOperationQueue(workers: .thisExecutable(count: 2))
    try queue.addOperations([PoolInvocationOperation(kind: "noop")], waitUntilFinished: true)
    let operations = (0..<count).map { _ in PoolInvocationOperation(kind: "noop") }
    let seconds = try Figures.seconds {
      let finish = prepare(queue, operations)
      try queue.addOperations(operations)
      try queue.waitUntilAllOperationsAreFinished()
      finish()
    }
    precondition(operations.allSatisfy { $0.outcome?.ending == .succeeded }, "all succeeded")
    Figures.say(name, seconds / Double(count) * 1e6)
  }
}

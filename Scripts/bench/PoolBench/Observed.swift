import Foundation
import OperationPool
import Synchronization

/// Operations that do nothing, in two workers, with and without observers.
enum Observed {
  /// What observes the operations of a queue.
  enum Observer: String, CaseIterable {
    /// Nothing.
    case flat
    /// A completion block of each.
    case completion
    /// A task that reads the transitions of the queue.
    case queue
    /// A task that reads the transitions of each operation to the end.
    case operation

    /// Begins to observe; returns what waits until all has been observed.
    func begin(_ queue: PoolOperationQueue, _ operations: [PoolOperation]) -> () -> Void {
      switch self {
      case .flat: return {}
      case .completion:
        let calls = Count()
        for operation in operations { operation.completionBlock = { calls.add(1) } }
        return { while calls.value < operations.count { sched_yield() } }
      case .queue:
        let transitions = queue.transitions
        let reader = Task { for await _ in transitions {} }
        return { reader.cancel() }
      case .operation:
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

  /// Alternates all, and prints the microseconds of an operation in each round.
  static func compare(count: Int, rounds: Int) throws {
    for _ in 0..<rounds {
      for observer in Observer.allCases { try measure(observer, count) }
    }
  }

  /// Executes operations; what is waited for in the end is measured, too.
  private static func measure(_ observer: Observer, _ count: Int) throws {
    let queue = try PoolOperationQueue(workers: .thisExecutable(count: 2))
    try queue.addOperations([PoolInvocationOperation(kind: "noop")], waitUntilFinished: true)
    let operations = (0..<count).map { _ in PoolInvocationOperation(kind: "noop") }
    let seconds = try Figures.seconds {
      let finish = observer.begin(queue, operations)
      try queue.addOperations(operations)
      try queue.waitUntilAllOperationsAreFinished()
      finish()
    }
    precondition(operations.allSatisfy { $0.outcome?.ending == .succeeded }, "all succeeded")
    Figures.say(observer.rawValue, seconds / Double(count) * 1e6)
  }
}

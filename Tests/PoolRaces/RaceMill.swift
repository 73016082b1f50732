package import OperationPool
package import PoolModel
import PoolSystem
import PoolTestSupport

/// Has operations finish while others are told to wait for them: two threads race with the
/// coordinator's and with each other.
package struct RaceMill {
  /// How many operations live at once, at most.
  private static let chunk = 20_000

  private let queues: [PoolOperationQueue]

  /// Makes two queues over fleets of their own, of which one is two wide.
  package init() throws(PoolError) {
    queues = [
      PoolOperationQueue(fleet: try PoolFleet()), PoolOperationQueue(fleet: try PoolFleet()),
    ]
    queues[1].maxConcurrentOperationCount = 2
  }

  /// Runs so many races, of these sorts in turn; returns how many operations ended in which way.
  package func run(_ races: [Race], count: Int) throws -> [PoolEnding: Int] {
    var endings: [PoolEnding: Int] = [:]
    for start in stride(from: 0, to: count, by: Self.chunk / 2) {
      let operations = (0..<2 * min(count - start, Self.chunk / 2)).map { _ in
        PoolBlockOperation {}
      }
      try play(races, operations)
      for operation in operations { endings[operation.outcome?.ending ?? .lost, default: 0] += 1 }
    }
    return endings
  }

  /// Has each thread play every other pair.
  private func play(_ races: [Race], _ operations: [PoolOperation]) throws {
    // What were lost would hang for ever: cancelled, it is counted.
    let watchdog = Watchdog { [queues] in for queue in queues { queue.cancelAllOperations() } }
    defer { withExtendedLifetime(watchdog) {} }
    let threads = try queues.indices.map { half in
      try SystemThread.start(name: "races", mask: .full) { [queues] in
        for first in stride(from: 2 * half, to: operations.count, by: 4) {
          let race = races[first / 4 % races.count]
          // Nothing is refused; what were would have no outcome, and count as lost.
          try? race.start(operations[first], operations[first + 1], in: queues[half])
        }
      }
    }
    for thread in threads { thread.join() }
    for queue in queues { try queue.waitUntilAllOperationsAreFinished() }
  }
}

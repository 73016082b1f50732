import Dispatch
import OperationPool
import PoolModel

/// Adds operations while what they wait for finishes, on two threads and two queues at once.
enum RaceMill {
  /// What falls together with the end of the first operation.
  enum Race: CaseIterable {
    case addition, dependency, edge, removal, gate
  }

  /// Pairs of operations; returns how many operations did not succeed.
  static func run(_ count: Int) throws -> Int {
    let queues = try (0..<2).map { _ in PoolOperationQueue(fleet: try PoolFleet()) }
    queues[1].maxConcurrentOperationCount = 2
    var lost = 0
    // In portions, so that the operations of a million races need not live at once.
    let portion = 10_000
    for start in stride(from: 0, to: count, by: portion) {
      let size = min(portion, count - start)
      let pairs = (0..<2 * size).map { _ in PoolBlockOperation {} }
      DispatchQueue.concurrentPerform(iterations: 2) { half in
        for index in stride(from: half, to: size, by: 2) {
          let race = Race.allCases[index / 2 % Race.allCases.count]
          try? play(race, pairs[2 * index], pairs[2 * index + 1], queues[half])
        }
      }
      for queue in queues { try queue.waitUntilAllOperationsAreFinished() }
      lost += pairs.count { $0.outcome?.ending != .succeeded }
    }
    return lost
  }

  private static func play(
    _ race: Race,
    _ first: PoolBlockOperation,
    _ second: PoolBlockOperation,
    _ queue: PoolOperationQueue
  ) throws {
    switch race {
    case .addition:
      try second.addDependency(first)
      try queue.addOperation(first)
      try queue.addOperation(second)
    case .dependency:
      try queue.addOperation(first)
      try second.addDependency(first)
      try queue.addOperation(second)
    case .edge:
      try queue.addOperation(first)
      try queue.addOperation(second)
      try second.addDependency(first)
    case .removal:
      try second.addDependency(first)
      try queue.addOperation(second)
      try queue.addOperation(first)
      second.removeDependency(first)
    case .gate:
      let gate = second.addGate()
      try second.addDependency(first)
      try queue.addOperation(first)
      gate.open()
      try queue.addOperation(second)
    }
  }
}

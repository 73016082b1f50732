import Foundation
import OperationPool
import OperationWorker

/// Operations that do nothing: ours in two worker processes, Foundation's in this one.
///
/// `pool-bench [COUNT [ROUNDS]]` alternates both and prints the median of the ratios;
/// `pool-bench profile COUNT [WORKER]` does ours alone, for a profiler; where that is the process's
/// executable, as valgrind is, WORKER names the program to spawn.
@main
enum Noop {
  static func main() async throws {
    if try PoolWorker.serveIfSpawned(.raw("noop") { _, _ in Array("null".utf8) }) { return }
    let arguments = Array(CommandLine.arguments.dropFirst())
    let pool = try PoolOperationQueue(workers: workers(arguments))
    _ = try ours(pool, 100)
    if arguments.first == "profile" {
      print("pool \(Int(try ours(pool, Int(arguments[1]) ?? 100_000)))/s")
    } else {
      try compare(pool, arguments.compactMap { Int($0) })
    }
  }

  private static func workers(_ arguments: [String]) throws -> PoolWorkers {
    guard arguments.first == "profile", arguments.count == 3 else {
      return .thisExecutable(count: 2)
    }
    return .executable(URL(filePath: arguments[2]), count: 2)
  }

  private static func compare(_ pool: PoolOperationQueue, _ numbers: [Int]) throws {
    let count = numbers.first ?? 100_000
    let rounds = numbers.dropFirst().first ?? 7
    var ratios: [Double] = []
    for _ in 0..<rounds {
      let theirs = foundation(count)
      let our = try ours(pool, count)
      ratios.append(our / theirs)
      print("pool \(Int(our))/s   OperationQueue \(Int(theirs))/s   ratio \(our / theirs)")
    }
    print("median ratio over \(rounds) rounds: \(ratios.sorted()[rounds / 2])")
  }

  /// Operations a second through the pool's public face.
  private static func ours(_ queue: PoolOperationQueue, _ count: Int) throws -> Double {
    let operations = (0..<count).map { _ in PoolInvocationOperation(kind: "noop") }
    let seconds = try measure {
      try queue.addOperations(operations)
      try queue.waitUntilAllOperationsAreFinished()
    }
    for operation in operations where operation.outcome?.ending != .succeeded {
      fatalError("an operation did not succeed: \(String(describing: operation.outcome))")
    }
    return Double(count) / seconds
  }

  /// Operations a second through Foundation's queue, two at once.
  private static func foundation(_ count: Int) -> Double {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 2
    let operations = (0..<count).map { _ in BlockOperation {} }
    let seconds = measure { queue.addOperations(operations, waitUntilFinished: true) }
    return Double(count) / seconds
  }

  private static func measure(_ body: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    let elapsed = try clock.measure(body)
    return elapsed / .seconds(1)
  }
}

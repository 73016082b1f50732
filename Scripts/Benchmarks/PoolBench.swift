import Foundation
import OperationPool
import OperationWorker

/// Measures the library through its public face; see `Scripts/bench`, which calls it.
///
/// `pool-bench noop [COUNT [ROUNDS]]` executes operations that do nothing, beside Foundation's queue;
/// `pool-bench profile COUNT [WORKER]` does ours alone, for a profiler; where that is the process's
/// executable, as valgrind is, WORKER names the program to spawn;
/// `pool-bench latencies [COUNT]` measures how soon cancellations and deaths are dealt with.
@main
enum PoolBench {
  static func main() async throws {
    if try PoolWorker.serveIfSpawned(Noop.kinds + Latencies.kinds) { return }
    let arguments = Array(CommandLine.arguments.dropFirst())
    let numbers = arguments.dropFirst().compactMap { Int($0) }
    switch arguments.first {
    case "noop": try Noop.compare(count: numbers.first ?? 100_000, rounds: numbers.last ?? 7)
    case "profile":
      try Noop.profile(count: numbers.first ?? 100_000, worker: arguments.dropFirst(2).first)
    case "latencies": try Latencies.measure(count: numbers.first ?? 200)
    default:
      FileHandle.standardError.write(
        Data("usage: pool-bench noop|profile|latencies [COUNT]\n".utf8)
      )
      exit(2)
    }
  }
}

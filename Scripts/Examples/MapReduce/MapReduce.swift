// Estimates π: many workers throw darts, and one number comes out.
//
//     swift run example-map-reduce [THROWS]
//
// The first failure ends the run. Progress goes to standard error, the result to standard output.

import Foundation
import OperationPool
import OperationWorker

/// Throws darts at a square, and counts those inside the circle.
struct ThrowDarts: WorkerOperation {
  static let kind = "throw-darts"
  var seed: UInt64
  var count: Int

  func main(_ context: WorkerContext) throws -> Int {
    var generator = SplitMix64(state: seed)
    var inside = 0
    for dart in 0..<count {
      if dart % 100_000 == 0 { try context.checkCancellation() }
      let (x, y) = (
        Double.random(in: 0..<1, using: &generator), Double.random(in: 0..<1, using: &generator)
      )
      if x * x + y * y < 1 { inside += 1 }
    }
    return inside
  }
}

/// Random numbers that are the same in each run: Vigna's `splitmix64`, https://prng.di.unimi.it.
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

@main
struct MapReduce {
  static func main() async throws {
    if try PoolWorker.serveIfSpawned(.operation(ThrowDarts.self)) { return }

    let parts = 20
    let each = (CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 10_000_000) / parts
    let queue = try PoolOperationQueue(workers: .thisExecutable())
    var (inside, finished) = (0, 0)
    let darts = (0..<parts).map { ThrowDarts(seed: UInt64($0), count: each) }
    for try await (_, count) in queue.map(darts).outputs {
      inside += count
      finished += 1
      FileHandle.standardError.write(Data("\(finished) of \(parts)\n".utf8))
    }
    print(4 * Double(inside) / Double(each * parts))
  }
}

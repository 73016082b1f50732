import Foundation
import OperationPool
import OperationWorker

/// How small the work of an operation may be until half of the time goes into everything else.
///
/// Task Bench (Slaughter et al., SC20) calls a task's granularity the wall time, times the cores,
/// over the number of tasks, and METG(50 %) the smallest one at which half of that is work.
enum Granularity {
  static let kinds: [WorkerKind] = [
    .raw("compute") { payload, _ in Array("\(compute(number(payload)) & 1)".utf8) },
    .raw("pace") { _, _ in Array("\(pace())".utf8) },
  ]

  private static let width = 32

  /// Halves the duration of the work until efficiency is below one half, and prints each:
  /// the work in nanoseconds, and its efficiency.
  ///
  /// Efficiency is the time that two workers would need for the work alone over the time it took,
  /// from the making of the first operation to the end of the last. The workers were started
  /// before.
  static func sweep(_ pattern: Pattern, steps: Int, from nanoseconds: Double) throws {
    let queue = try PoolOperationQueue(workers: .thisExecutable(count: 2))
    let pace = try commonPace(queue)
    _ = try seconds(queue, pattern, steps: 10, iterations: 1)
    var duration = nanoseconds
    var best = 1.0
    while best >= 0.5 && duration > 50 {
      let iterations = max(Int(duration / pace), 1)
      best = 0
      // Whatever else the machine does only takes away from it: what is low is tried again.
      for _ in 0..<3 where best < 0.5 {
        let (wall, count) = try seconds(queue, pattern, steps: steps, iterations: iterations)
        best = max(best, Double(iterations) * pace * Double(count) / 2 / 1e9 / wall)
      }
      Figures.say("\(Int(Double(iterations) * pace))", best)
      duration /= 2
    }
  }

  /// Adds the steps one after the other, while earlier ones execute.
  private static func seconds(
    _ queue: PoolOperationQueue,
    _ pattern: Pattern,
    steps: Int,
    iterations: Int
  ) throws -> (wall: Double, count: Int) {
    let payload = Array("\(iterations)".utf8)
    var before: [PoolInvocationOperation] = []
    var count = 0
    let wall = try Figures.seconds {
      for step in 0..<steps {
        let points = (0..<pattern.width(of: step, most: width)).map { _ in
          PoolInvocationOperation(kind: "compute", payload: payload)
        }
        for (point, operation) in points.enumerated() {
          for other in pattern.dependencies(of: point, in: step, width: before.count) {
            try operation.addDependency(before[other])
          }
        }
        try queue.addOperations(points)
        before = points
        count += points.count
      }
      try queue.waitUntilAllOperationsAreFinished()
    }
    return (wall, count)
  }

  // MARK: - Work

  /// Nanoseconds of one iteration where both workers compute at once, as they do later.
  private static func commonPace(_ queue: PoolOperationQueue) throws -> Double {
    let operations = (0..<2).map { _ in PoolInvocationOperation(kind: "pace") }
    try queue.addOperations(operations, waitUntilFinished: true)
    let paces = operations.compactMap { operation in
      operation.outcome?.result.flatMap { Double(String(decoding: $0, as: UTF8.self)) }
    }
    precondition(paces.count == 2, "both workers say how fast they are")
    return paces.reduce(0, +) / 2
  }

  /// The lower quartile of many: whatever else the machine does adds to it, and the least may be
  /// from a moment when the other worker had not begun.
  private static func pace() -> Double {
    let count = 1_000_000
    let times = (0..<300).map { _ in Figures.seconds { _ = compute(count) } }
    return times.sorted()[times.count / 4] * 1e9 / Double(count)
  }

  /// Work that is all in the processor, each iteration waiting for the one before.
  @inline(never)
  private static func compute(_ iterations: Int) -> UInt64 {
    var state: UInt64 = 88_172_645_463_325_252
    for _ in 0..<iterations {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
    }
    return state
  }

  private static func number(_ digits: [UInt8]) -> Int {
    digits.reduce(0) { $0 * 10 + Int($1) - 48 }
  }
}

import Foundation
import OperationPool
import OperationWorker

/// Operations of a type: a struct of three fields in, another one out.
enum Typed {
  static let kinds: [WorkerKind] = [.operation(Reading.self)]

  /// What goes in.
  struct Reading: WorkerOperation {
    static let kind = "reading"
    var sensor: String
    var celsius: Double
    var hour: Int

    func main(_ context: WorkerContext) -> Verdict {
      Verdict(sensor: sensor, fahrenheit: celsius * 1.8 + 32, isDay: hour > 6 && hour < 20)
    }
  }

  /// What comes out.
  struct Verdict: Codable, Sendable {
    var sensor: String
    var fahrenheit: Double
    var isDay: Bool
  }

  /// Prints operations a second, and what Foundation's coders cost of that.
  static func measure(count: Int) async throws {
    let queue = try PoolOperationQueue(workers: .thisExecutable(count: 2))
    _ = try await rate(queue, 100)
    Figures.say("pool", try await rate(queue, count))
    try Coders.compare(count: min(count, 20_000))
  }

  /// Alternates operations of a type and operations that do nothing, which one thread adds; prints
  /// the operations a second of each round, and the microseconds that adding one takes.
  static func adding(count: Int, rounds: Int) throws {
    let queue = try PoolOperationQueue(workers: .thisExecutable(count: 2))
    try queue.addOperations([PoolInvocationOperation(kind: "noop")], waitUntilFinished: true)
    for _ in 0..<rounds {
      try add("noop", queue, (0..<count).map { _ in PoolInvocationOperation(kind: "noop") })
      try add("typed", queue, (0..<count).map { PoolTypedOperation(reading($0)) })
    }
  }

  /// Executes operations of a type alone.
  static func profile(_ queue: PoolOperationQueue, count: Int) throws {
    try add("typed", queue, (0..<count).map { PoolTypedOperation(reading($0)) })
  }

  private static func add(
    _ name: String,
    _ queue: PoolOperationQueue,
    _ operations: [PoolOperation]
  ) throws {
    var adding = 0.0
    let seconds = try Figures.seconds {
      adding = try Figures.seconds { try queue.addOperations(operations) }
      try queue.waitUntilAllOperationsAreFinished()
    }
    precondition(operations.allSatisfy { $0.outcome?.ending == .succeeded }, "all succeeded")
    Figures.say("adding.\(name)", Double(operations.count) / seconds)
    Figures.say("adding.\(name).each", adding / Double(operations.count) * 1e6)
  }

  /// A value that is different each time.
  static func reading(_ number: Int) -> Reading {
    Reading(sensor: "roof", celsius: Double(number % 40) + 0.5, hour: number % 24)
  }

  private static func rate(_ queue: PoolOperationQueue, _ count: Int) async throws -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    let operations = (0..<count).map { PoolTypedOperation(reading($0)) }
    try queue.addOperations(operations)
    var sum = 0.0
    for operation in operations { sum += try await operation.value.fahrenheit }
    let seconds = (clock.now - start) / .seconds(1)
    precondition(sum > 0, "every result was there")
    return Double(count) / seconds
  }
}

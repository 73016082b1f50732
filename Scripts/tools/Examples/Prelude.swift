// What the examples of the documentation refer to without saying so.
import Foundation
import OperationPool
import OperationWorker

struct Square: WorkerOperation {
  static let kind = "square"
  var number: Int
  func main(_ context: WorkerContext) throws -> Int { number * number }
}

struct Thumbnail: WorkerOperation {
  static let kind = "thumbnail"
  var source: String
  func main(_ context: WorkerContext) throws -> String { source + ".png" }
}

struct Sum: WorkerOperation {
  static let kind = "sum"
  var numbers: [Int]
  func main(_ context: WorkerContext) throws -> Int { numbers.reduce(0, +) }
}

/// Stands for a value that examples use and do not make.
func some<Value>(_ type: Value.Type = Value.self) -> Value { preconditionFailure("never executed") }

var queue: PoolOperationQueue { some() }
var fleet: PoolFleet { some() }
var operation: PoolOperation { some() }
var other: PoolOperation { some() }
var first: PoolOperation { some() }
var second: PoolOperation { some() }
var fetch: PoolOperation { some() }
var decode: PoolOperation { some() }
var report: PoolOperation { some() }
var alarm: PoolOperation { some() }
var thumbnail: PoolOperation { some() }
var block: PoolBlockOperation { some() }
var square: PoolTypedOperation<Int> { some() }
var left: PoolTypedOperation<Int> { some() }
var right: PoolTypedOperation<Int> { some() }
var reload: Foundation.Operation { some() }
var isHoliday: PoolCondition { some() }
var operations: [PoolOperation] { [] }
var lines: [String] { [] }
func handle(_ line: String) {}
var logger: Logger { some() }
func freeBytes() throws -> Int { 0 }

// Stand-ins with the signatures of swift-log, swift-metrics and ServiceLifecycle.

struct Logger: Sendable {
  enum Level { case debug, warning, error }
  typealias Message = String
  typealias Metadata = [String: String]
  init(label: String) {}
  func log(
    level: Level,
    _ message: @autoclosure () -> Message,
    metadata: @autoclosure () -> Metadata? = nil
  ) {}
  func info(_ message: @autoclosure () -> Message) {}
  func warning(_ message: @autoclosure () -> Message) {}
}

enum Metrics {
  final class Timer: Sendable {
    init(label: String, dimensions: [(String, String)] = []) {}
    func record(duration: Duration) {}
  }
}

final class Counter: Sendable {
  init(label: String, dimensions: [(String, String)] = []) {}
  func increment<Amount: BinaryInteger>(by amount: Amount) {}
}

final class Gauge: Sendable {
  init(label: String, dimensions: [(String, String)] = []) {}
  func record<Amount: BinaryInteger>(_ amount: Amount) {}
}

protocol Service: Sendable {
  func run() async throws
}

func withGracefulShutdownHandler<Value>(
  operation: () async throws -> Value,
  onGracefulShutdown handler: @Sendable @escaping () -> Void
) async rethrows -> Value {
  try await operation()
}

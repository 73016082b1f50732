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
func freeBytes() throws -> Int { 0 }

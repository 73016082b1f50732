import Foundation
import OperationPool
import OperationWorker
import PoolModel
import PoolSystem
import PoolTestSupport

/// Queues over the tests' own worker.
enum Pools {
  static func queue(_ count: Int = 1) throws -> PoolOperationQueue {
    try PoolOperationQueue(workers: .executable(Repository.program("test-worker"), count: count))
  }

  static func commands(_ count: Int = 1) throws -> PoolOperationQueue {
    try PoolOperationQueue(workers: .standard(count: count))
  }
}

/// An operation by its kind, with its payload as text.
func operation(
  _ kind: String,
  _ payload: String = "null",
  name: String? = nil,
  priority: PoolQueuePriority = .normal,
  timeout: Double? = nil,
  retries: Int = 0
) -> PoolInvocationOperation {
  let options = PoolOperationOptions(
    name: name,
    queuePriority: priority,
    timeout: timeout,
    retries: retries
  )
  return PoolInvocationOperation(kind: kind, payload: Array(payload.utf8), options: options)
}

extension PoolOutcome {
  /// The result as text.
  var text: String? { result.map { String(decoding: $0, as: UTF8.self) } }
}

extension PoolOperation {
  /// Waits until the operation stands there; the state has no other news than itself.
  func reaches(_ wanted: State) async -> Bool {
    let deadline = MonotonicClock.now + .seconds(30)
    while state != wanted {
      guard MonotonicClock.now < deadline, state != .finished else { return false }
      await Task.yield()
    }
    return true
  }
}

/// The sum of some numbers, as the tests' worker has it.
struct Sum: WorkerOperation {
  static let kind = "sum"

  /// What comes back.
  struct Output: Codable, Sendable {
    var sum: Int
    var attempt: Int
  }

  var numbers: [Int]

  func main(_ context: WorkerContext) -> Output { Output(sum: 0, attempt: 0) }
}

/// The sum of some numbers, with suspensions.
struct AsyncSum: AsyncWorkerOperation {
  static let kind = "asyncSum"
  var numbers: [Int]

  func main(_ context: WorkerContext) async -> Int { 0 }
}

/// An operation whose input cannot be written as JSON.
struct Unspeakable: WorkerOperation {
  static let kind = "sum"
  var number = Double.nan

  func main(_ context: WorkerContext) -> Int { 0 }
}

/// An operation of a kind that returns something else.
struct Misunderstood: WorkerOperation {
  static let kind = "echo"
  var text = "a text"

  func main(_ context: WorkerContext) -> Int { 0 }
}

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

  /// Optimised, Swift 6.3.1 crashes where it inlines this into some asynchronous functions.
  @inline(never)
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
  timeout: Duration? = nil,
  retries: Int = 0,
  teardown: PoolTeardownSequence? = nil,
  constraint: Set<String> = []
) -> PoolInvocationOperation {
  let options = PoolOperationOptions(
    name: name,
    queuePriority: priority,
    timeout: timeout,
    retryPolicy: .retries(retries),
    teardownSequence: teardown,
    constraint: constraint
  )
  return PoolInvocationOperation(kind: kind, payload: Array(payload.utf8), options: options)
}

extension PoolOutcome {
  /// The result as text.
  var text: String? { result.map { String(decoding: $0, as: UTF8.self) } }
}

extension PoolOperation {
  /// Waits until the operation stands there; false where it ends without.
  func reaches(_ wanted: State) async -> Bool {
    // Asked for first, so that what happens between the two questions is in the stream.
    let transitions = transitions
    if state == wanted { return true }
    for await transition in transitions where transition.state == wanted { return true }
    return state == wanted
  }
}

extension PoolOperationQueue {
  /// Waits until there are so many operations in it.
  func reaches(_ count: Int) async {
    let (changes, writer) = AsyncStream.makeStream(of: Void.self)
    // Asked for first, so that what happens between the two questions is in the stream.
    let observation = observe(\.operationCount) { _, _ in writer.yield() }
    if operationCount >= count { return }
    for await _ in changes where operationCount >= count { return }
    withExtendedLifetime(observation) {}
  }
}

extension PoolTransition {
  /// Where the operation stands after it; nil where it only says something.
  fileprivate var state: PoolOperation.State? {
    switch self {
    case .pending: .pending
    case .ready, .retrying: .ready
    case .executing: .executing
    case .finished: .finished
    case .progressed, .logged, .cancelled: nil
    }
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

/// An operation that does what it is told, as the tests' worker has it.
struct Mixed: WorkerOperation {
  static let kind = "mixed"

  enum Deed: Codable, Sendable {
    case sum(Int)
    case failure
    case forever
  }

  var deed: Deed

  init(_ deed: Deed) { self.deed = deed }

  func main(_ context: WorkerContext) -> Int { 0 }
}

import Dispatch
import Foundation
import OperationPool
import OperationWorker

/// How soon the pool is done with what was cancelled, and goes on after a death.
///
/// All processes read one clock, so that a worker's word about when it died counts.
enum Latencies {
  static let kinds: [WorkerKind] = [
    .raw("polls") { _, context in
      while !context.isCancelled {}
      throw WorkerCancellation()
    },
    .raw("ignores") { _, context in
      signal(SIGTERM, SIG_IGN)
      context.progress(completed: 1, total: 2)
      while true { sleep(1) }
    },
    .raw("dies") { payload, _ in
      let note = URL(filePath: try JSONDecoder().decode(String.self, from: Data(payload)))
      if let death = try? String(contentsOf: note, encoding: .utf8) { return since(death) }
      try "\(now)".write(to: note, atomically: false, encoding: .utf8)
      kill(getpid(), SIGKILL)
      while true { sleep(1) }
    },
  ]

  /// Nanoseconds of a clock that all processes share.
  private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

  /// Nanoseconds since a time in digits.
  private static func since(_ text: String) -> [UInt8] {
    Array("\(now - (UInt64(text) ?? 0))".utf8)
  }

  /// Prints the 50th and the 99th percentile of each latency, in milliseconds.
  static func measure(count: Int) throws {
    // Long enough for any machine, since a step that comes late would count as ours.
    let grace = 20
    try repeated("stop", count) { try endOfPolling($0) }
    try repeated("kill", max(count / 4, 1)) { try endOfDeaf($0, graceMilliseconds: grace) }
    try repeated("replace", count) { try replaced($0) }
    try repeated("retry", count, width: 2, retried)
  }

  private static func repeated(
    _ name: String,
    _ count: Int,
    width: Int = 1,
    _ body: (PoolOperationQueue) throws -> UInt64
  ) throws {
    let queue = try PoolOperationQueue(workers: .thisExecutable(count: width))
    _ = try body(queue)
    Figures.sayPercentiles(name, try (0..<count).map { _ in Double(try body(queue)) / 1e6 })
  }

  private static func executing(
    _ kind: String,
    _ options: PoolOperationOptions,
    in queue: PoolOperationQueue
  ) throws -> PoolOperation {
    let operation = PoolInvocationOperation(kind: kind, options: options)
    try queue.addOperation(operation)
    while !operation.isExecuting { usleep(100) }
    return operation
  }

  private static func endOfPolling(_ queue: PoolOperationQueue) throws -> UInt64 {
    let operation = try executing("polls", .init(), in: queue)
    return try end(of: operation)
  }

  /// From the request to the end, by a teardown sequence of three steps.
  private static func endOfDeaf(
    _ queue: PoolOperationQueue,
    graceMilliseconds grace: Int
  ) throws -> UInt64 {
    let teardown = PoolTeardownSequence(steps: [
      .init(.message, graceMilliseconds: grace), .init(.signal(SIGTERM), graceMilliseconds: grace),
      .init(.signal(SIGKILL), graceMilliseconds: 0),
    ])
    let operation = try executing("ignores", .init(teardownSequence: teardown), in: queue)
    while operation.progress == nil { usleep(100) }
    return try end(of: operation) - UInt64(2 * grace) * 1_000_000
  }

  private static func end(of operation: PoolOperation) throws -> UInt64 {
    let start = now
    operation.cancel()
    try operation.waitUntilFinished()
    precondition(operation.outcome?.ending == .cancelled)
    return now - start
  }

  /// From a worker's death to the start of what waited behind it.
  private static func replaced(_ queue: PoolOperationQueue) throws -> UInt64 {
    try withNote { note in
      let fatal = PoolInvocationOperation(kind: "dies", payload: note)
      let next = PoolInvocationOperation(kind: "dies", payload: note)
      try queue.addOperations([fatal, next], waitUntilFinished: true)
      return try latency(next)
    }
  }

  /// From a worker's death to the start of the second attempt at what killed it.
  private static func retried(_ queue: PoolOperationQueue) throws -> UInt64 {
    try withNote { note in
      let options = PoolOperationOptions(retryPolicy: .retries(1))
      let fatal = PoolInvocationOperation(kind: "dies", payload: note, options: options)
      try queue.addOperations([fatal], waitUntilFinished: true)
      return try latency(fatal)
    }
  }

  private static func latency(_ operation: PoolOperation) throws -> UInt64 {
    guard let result = operation.outcome?.result else {
      fatalError("no result: \(String(describing: operation.outcome))")
    }
    return try JSONDecoder().decode(UInt64.self, from: Data(result))
  }

  /// Gives the name of a file that is not there, as JSON.
  private static func withNote<Value>(_ body: ([UInt8]) throws -> Value) throws -> Value {
    let path = NSTemporaryDirectory() + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body(Array(JSONEncoder().encode(path)))
  }
}

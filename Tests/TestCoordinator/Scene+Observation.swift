import Foundation
import OperationPool
import Synchronization

extension Scene {
  /// A queue has the main queue for its callbacks: prints what was told, and on which threads.
  ///
  /// Must be called on the main thread, and serves it until all was told.
  static func mainQueue() throws {
    let queue = try PoolOperationQueue(workers: testWorkers(1))
    queue.underlyingQueue = .main
    let record = Record()
    let operation = PoolInvocationOperation(kind: "noop")
    let observations = [
      operation.observe(\.isExecuting, options: .new) { _, change in
        record.write(change.newValue == true ? "executing" : "executed")
      },
      operation.observe(\.isFinished) { _, _ in record.write("finished") },
      queue.observe(\.operationCount) { _, _ in record.write(nil) },
    ]
    operation.completionBlock = { record.write("completed") }
    try queue.addOperation(operation)
    let deadline = Date(timeIntervalSinceNow: 40)
    while record.lines.last != "completed", Date() < deadline {
      _ = RunLoop.main.run(mode: .default, before: deadline)
    }
    print(record.lines.joined(separator: " "))
    print(record.threads.sorted().joined(separator: " "))
    for observation in observations { observation.invalidate() }
  }

  /// What was told, and where.
  private final class Record: Sendable {
    private let told = Mutex<(lines: [String], threads: Set<String>)>(([], []))

    var lines: [String] { told.withLock { $0.lines } }
    var threads: Set<String> { told.withLock { $0.threads } }

    func write(_ line: String?) {
      told.withLock { told in
        told.threads.insert(Thread.isMainThread ? "main" : "another")
        if let line { told.lines.append(line) }
      }
    }
  }
}

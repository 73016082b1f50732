import Foundation
import OperationPool

extension Scene {
  /// Operations are started without a queue: prints whether they did, and what is left.
  static func shared() async throws {
    // What Foundation opens for good is opened for the first of all workers.
    _ = try await finishStarted()
    let before = descriptorCount
    var haveStarted = true
    for _ in 0..<10 where try await !finishStarted() { haveStarted = false }
    print(haveStarted ? "started" : "not started")
    print(childCount)
    print(await settle { descriptorCount <= before + 2 } ? "flat" : "\(descriptorCount - before)")
  }

  /// Whether a command and a kind of this program's own succeed; waits until all has ended.
  private static func finishStarted() async throws -> Bool {
    let operations = [PoolInvocationOperation(kind: "pid"), PoolCommandOperation(shell: "true")]
    for operation in operations { try operation.start() }
    var haveSucceeded = true
    for operation in operations where try await operation.finished().ending != .succeeded {
      haveSucceeded = false
    }
    return await settle { childCount == 0 } && haveSucceeded
  }

  /// Whether this program does not serve: the argument says so to it, the variable to its workers.
  static var isForgetful: Bool {
    CommandLine.arguments.dropFirst().first == "forgetful" || getenv("POOL_TEST_FORGETS") != nil
  }

  /// Executes an operation in processes of a program that does not serve; prints what it is told.
  static func forget() async throws {
    setenv("POOL_TEST_FORGETS", "1", 1)
    let queue = try PoolOperationQueue(workers: .thisExecutable(count: 1))
    let operation = PoolInvocationOperation(kind: "pid")
    try queue.addOperation(operation)
    print(try await operation.finished().failure?.sentence ?? "succeeded")
  }

  /// This process has been started as a worker, and does not know it: prints what it is told.
  static func marked() {
    setenv("OPOOL_WORKER", "1", 1)
    do throws(PoolError) {
      try PoolInvocationOperation(kind: "pid").start()
    } catch {
      print(error)
    }
    do throws(PoolError) {
      _ = try PoolOperationQueue(workers: .thisExecutable(count: 1))
    } catch {
      print(error)
    }
  }
}

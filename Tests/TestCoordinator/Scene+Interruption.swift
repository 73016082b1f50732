import Dispatch
import Foundation
import OperationPool
import OperationWorker

/// An operation that ends when it is asked to.
struct Endless: AsyncWorkerOperation {
  static let kind = "endless"

  func main(_ context: WorkerContext) async throws -> Int {
    try await Task.sleep(for: .seconds(100_000))
    return 0
  }
}

extension Scene {
  /// A program at a terminal, with an operation of its own and a command that executes: prints
  /// that, then how both have ended.
  ///
  /// Where it listens, as the guide says to; on the main actor, as a program's `main`.
  @MainActor
  static func interrupted(listens: Bool) async throws {
    let fleet = try PoolFleet(.thisExecutable(count: 1), .standard(count: 1))
    let queue = PoolOperationQueue(fleet: fleet)
    let own = PoolTypedOperation(Endless())
    let ready = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    guard mkfifo(ready, 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
    let command = PoolCommandOperation(
      shell: "trap 'echo interrupted' INT; kill -s INT $$; echo >\(ready); "
        + "setsid sleep 100000 & sleep 100000"
    )
    if listens {
      signal(SIGINT, SIG_IGN)
      let interrupts = DispatchSource.makeSignalSource(signal: SIGINT)
      interrupts.setEventHandler { @Sendable in queue.cancelAllOperations() }
      // A signal before that is ignored.
      await withCheckedContinuation { continuation in
        interrupts.setRegistrationHandler { @Sendable in continuation.resume() }
        interrupts.resume()
      }
      try await execute([own, command], on: queue, untilWritten: ready)
      interrupts.cancel()
    } else {
      try await execute([own, command], on: queue, untilWritten: ready)
    }
    print(String(decoding: command.outcome?.standardOutput ?? [], as: UTF8.self))
  }

  private static func execute(
    _ operations: [PoolOperation],
    on queue: PoolOperationQueue,
    untilWritten pipe: String
  ) async throws {
    let transitions = queue.transitions
    try queue.addOperations(operations)
    var executing = 0
    for await case (_, .executing) in transitions {
      executing += 1
      if executing == operations.count { break }
    }
    // A command is said to execute before its process does anything.
    _ = try FileHandle(forReadingFrom: URL(filePath: pipe)).readToEnd()
    unlink(pipe)
    FileHandle.standardOutput.write(Data("both execute\n".utf8))
    for operation in operations { print(try await operation.finished().ending) }
  }
}

// A service: it takes requests for as long as there are any, answers each within its time, and ends
// in order.
//
//     printf '%s\n' 30 no 92 | swift run example-service
//
// A request is a line with a number. SIGTERM ends the service when the present requests are
// answered.

import Dispatch
import Foundation
import OperationPool
import OperationWorker

/// The n-th number of Fibonacci's sequence, by the slowest way that there is.
struct Fibonacci: WorkerOperation {
  static let kind = "fibonacci"
  var number: Int

  func main(_ context: WorkerContext) throws -> Int { Self.value(number) }

  private static func value(_ number: Int) -> Int {
    number < 2 ? number : value(number - 1) + value(number - 2)
  }
}

@main
struct Service {
  static func main() async throws {
    if try PoolWorker.serveIfSpawned(.operation(Fibonacci.self)) { return }

    let queue = try PoolOperationQueue(workers: .thisExecutable())
    let terminate = whenTerminated { Task { await queue.shutdown() } }
    await withTaskGroup { requests in
      for await line in lines() {
        requests.addTask { print(line, await answer(line, from: queue)) }
      }
    }
    await queue.shutdown()
    terminate.cancel()
  }

  /// What a request is answered; never an error, because others must be answered, too.
  private static func answer(_ line: String, from queue: PoolOperationQueue) async -> String {
    guard let number = Int(line) else { return "is no number" }
    // A computation cannot be asked to stop here, so that its worker is killed at once.
    let options = PoolOperationOptions(timeout: .seconds(2), teardownSequence: .immediate)
    do {
      return try await "\(queue.run(Fibonacci(number: number), options: options))"
    } catch let failure as PoolFailure {
      return failure.sentence
    } catch {
      return "\(error)"
    }
  }

  /// The lines of standard input.
  private static func lines() -> AsyncStream<String> {
    AsyncStream { lines in
      Thread.detachNewThread {
        while let line = readLine() { lines.yield(line) }
        lines.finish()
      }
    }
  }

  /// Calls the closure at SIGTERM, in place of ending the program.
  private static func whenTerminated(_ body: @escaping @Sendable () -> Void)
    -> any DispatchSourceSignal
  {
    signal(SIGTERM, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global())
    source.setEventHandler(handler: body)
    source.resume()
    return source
  }
}

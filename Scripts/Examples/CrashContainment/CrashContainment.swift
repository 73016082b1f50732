// What ends a program ends one operation here.
//
//     swift run example-crash-containment
//
// Each operation does something that no `catch` can stop. The queue says what happened, and goes
// on.

import Foundation
import OperationPool
import OperationWorker

/// Does one harmful thing.
enum Misbehave: String, WorkerOperation, CaseIterable {
  static let kind = "misbehave"

  case wrongIndex, abort, exit, endlessLoop, nothing

  func main(_ context: WorkerContext) throws -> String {
    switch self {
    case .wrongIndex: return [String]()[context.attempt]
    case .abort: Foundation.abort()
    case .exit: Foundation.exit(7)
    case .endlessLoop: while true { usleep(1_000) }
    case .nothing: return "fine"
    }
  }
}

@main
struct CrashContainment {
  static func main() async throws {
    if try PoolWorker.serveIfSpawned(.operation(Misbehave.self)) { return }

    let queue = try PoolOperationQueue(workers: .thisExecutable(count: 2))
    for deed in Misbehave.allCases {
      let options = PoolOperationOptions(
        timeout: deed == .endlessLoop ? .milliseconds(500) : nil,
        teardownSequence: .immediate
      )
      do {
        let text = try await queue.run(PoolTypedOperation(deed, options: options))
        print("\(deed): \(text)")
      } catch let failure as PoolFailure {
        print("\(deed): \(failure.sentence)")
      }
    }
  }
}

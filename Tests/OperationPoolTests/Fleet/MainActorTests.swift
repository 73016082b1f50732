import Foundation
import OperationPool
import OperationWorker
import PoolModel
import PoolTestSupport
import Testing

/// Contract: operations that need the main actor, or the main queue, end in a worker process as
/// they do in this one; one that ends its thread is lost at once.
@Suite("Operations and the main thread", .timeLimit(.minutes(30)))
struct MainActorTests {
  enum Place: CaseIterable {
    case elsewhere
    case here

    func queue() throws -> PoolOperationQueue {
      switch self {
      case .elsewhere: try Pools.queue()
      case .here: try PoolOperationQueue(workers: .inProcess(MainKinds.all, count: 1))
      }
    }
  }

  @Test(
    "one that awaits the main actor, is isolated to it, or uses the main queue ends",
    arguments: ["awaitMainActor", "onMainActor", "useMainQueue"],
    [PoolQualityOfService.default, .background]
  )
  func main(kind: String, quality: PoolQualityOfService) async throws {
    let queue = try Pools.queue()
    queue.qualityOfService = quality
    for _ in 0..<20 {
      let outcome = try await queue.run(operation(kind))
      #expect(outcome.text == "true", "\(outcome)")
    }
  }

  @Test(
    "one that ends its thread is lost, and says why; the next one is executed",
    arguments: Place.allCases
  )
  func thread(place: Place) async throws {
    let queue = try place.queue()
    for quality in [PoolQualityOfService.default, .background] {
      queue.qualityOfService = quality
      let outcome = try await queue.run(operation("endThread", #"{"isMain":false}"#))
      #expect(outcome.ending == .lost && outcome.attempts == 1, "\(outcome)")
      let sentence = outcome.failure?.sentence ?? ""
      if place == .elsewhere {
        #expect(sentence.hasSuffix("an operation has ended its thread"), "\(sentence)")
      }
      #expect(try await queue.run(operation("noop")).ending == .succeeded)
    }
  }

  @Test("one that ends the main thread is lost, too")
  func mainThread() async throws {
    let queue = try Pools.queue()
    let outcome = try await queue.run(operation("endThread", #"{"isMain":true}"#))
    #expect(outcome.ending == .lost, "\(outcome)")
    #expect(outcome.failure?.sentence.hasSuffix("an operation has ended its thread") == true)
  }

  @Test("a program that becomes a worker after an await is told where to do so")
  func late() async throws {
    let lines = try await Scenes.play("late-worker")
    #expect(
      lines == [
        "misplacedCall: a worker cannot begin here: "
          + "call 'PoolWorker' on the main thread, before the first 'await'"
      ]
    )
  }
}

/// The kinds that a worker in this process serves.
private enum MainKinds {
  static let all: [WorkerKind] = [
    .raw("endThread") { _, _ in
      Thread.exit()
      return []
    },
    .raw("noop") { _, _ in Array("null".utf8) },
  ]
}

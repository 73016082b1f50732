import Dispatch
import PoolCore
import PoolModel
import PoolSystem
import PoolTestSupport
import Synchronization
import Testing

@testable import OperationPool

/// Contract: what a change without a fleet leaves to do is done, also if the system has no thread
/// for it at first.
@Suite("Start of the loop", .timeLimit(.minutes(30)))
struct LoopStartTests {
  /// A system that refuses its first loops.
  private func system(refusing count: Int) -> SystemInterface {
    let left = Mutex(count)
    var system = FakeSystem().interface
    let makeSpawner = system.makeSpawner
    system.makeSpawner = {
      let isRefused = left.withLock { left in
        left -= 1
        return left >= 0
      }
      if isRefused { throw SystemFailure(call: "pthread_create", code: 11) }
      return try makeSpawner()
    }
    return system
  }

  /// How an operation ends that is cancelled when it is added; starts a loop for a client, if there
  /// is none.
  private func ending(
    in queue: QueueID,
    of engine: PoolEngine,
    _ client: StageClient,
    starting starter: StageClient?
  ) async -> PoolEnding? {
    let operation = await withCheckedContinuation { continuation in
      let operation = Mutex<OperationID?>(nil)
      client.whenAtRest {
        operation.withLock { id in id.map { continuation.resume(returning: $0) } }
      }
      engine.update(ifWanted: true, for: starter) { transaction in
        let id = transaction.create(OperationSpec(kind: transaction.kind("k")))
        operation.withLock { $0 = id }
        _ = transaction.enqueue([id], by: nil, in: queue)
        _ = transaction.cancel(id)
      }
    }
    return client.outcome(of: operation)?.ending
  }

  @Test(
    "a cancelled operation settles if the loop cannot be started at first",
    arguments: [0, 1, 3]
  )
  func refused(count: Int) async throws {
    let engine = PoolEngine(policy: PoolPolicy(), system: system(refusing: count))
    let client = StageClient()
    let fleet = engine.addFleet([])
    let queue = engine.addQueue(to: fleet)
    engine.closeFleet(fleet)
    #expect(await ending(in: queue, of: engine, client, starting: client) == .cancelled)
  }

  @Test("that the loop cannot be started for a second is told once")
  func told() async throws {
    let lines = Mutex<[String]>([])
    var system = system(refusing: 21)
    system.complain = { line in lines.withLock { $0.append(line) } }
    let engine = PoolEngine(policy: PoolPolicy(), system: system)
    let client = StageClient()
    let fleet = engine.addFleet([])
    let queue = engine.addQueue(to: fleet)
    engine.closeFleet(fleet)
    #expect(await ending(in: queue, of: engine, client, starting: client) == .cancelled)
    #expect(lines.withLock { $0.count } == 1)
    #expect(lines.withLock { $0.first }?.contains("pthread_create") == true)
  }

  @Test("a fleet that is made while another thread fails to start the loop has one a little later")
  func relied() async throws {
    let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
    let mayFail = DispatchSemaphore(value: 0)
    let isFirst = Mutex(true)
    var system = FakeSystem().interface
    let makeSpawner = system.makeSpawner
    system.makeSpawner = {
      guard
        isFirst.withLock({ isFirst in
          defer { isFirst = false }
          return isFirst
        })
      else {
        return try makeSpawner()
      }
      beginning.yield()
      mayFail.wait()
      throw SystemFailure(call: "pthread_create", code: 11)
    }
    let engine = PoolEngine(policy: PoolPolicy(), system: system)
    let client = StageClient()
    let unlucky = engine.addFleet([])
    async let failure = Blocking.run {
      #expect(throws: SystemFailure.self) { try engine.run(for: client) }
    }
    for await _ in begun { break }
    let fleet = engine.addFleet([])
    let queue = engine.addQueue(to: fleet)
    try engine.run(for: client)
    mayFail.signal()
    _ = try await failure
    engine.closeFleet(unlucky)
    // The caller starts no loop: only one that exists tells of the end.
    #expect(await ending(in: queue, of: engine, client, starting: nil) == .cancelled)
    engine.closeFleet(fleet)
  }
}

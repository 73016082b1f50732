import Foundation
import PoolCore
import PoolModel
import PoolSystem
import PoolWire
import Synchronization
import Testing

@testable import OperationPool
@testable import PoolContents

/// Contract: what a worker that lives in this process does where a process would be signalled, and
/// on which threads it works.
@Suite("In-process workers", .timeLimit(.minutes(30)))
struct BlockWorkerTests {
  /// A pool with a teardown sequence that is used at once, and the queue of its blocks.
  private func pool(_ client: BlockClient) throws -> (PoolEngine, FleetID, QueueID) {
    var policy = PoolPolicy()
    policy.teardown = PoolTeardownSequence(steps: [
      .init(.message, graceMilliseconds: 0), .init(.signal(15), graceMilliseconds: 0),
      .init(.signal(9), graceMilliseconds: 0),
    ])
    let engine = PoolEngine(policy: policy)
    let fleet = engine.addFleet([.blocks])
    let queue = engine.tell { machine, _ in machine.addQueue(to: fleet) }
    try engine.run(for: client)
    return (engine, fleet, queue)
  }

  @Test(
    "a deaf block outlives the whole teardown sequence; its worker then ends, and another one follows"
  )
  func deaf() async throws {
    let client = BlockClient()
    let (engine, fleet, queue) = try pool(client)
    let isDone = Monitor(false)
    let deaf = PoolBlockOperation { isDone.wait(while: { !$0 }, then: { _ in }) }
    let id = client.add(deaf, to: queue, of: engine)
    while engine.ask({ $0.graph.phase(of: id) }) != .executing { await Task.yield() }
    _ = engine.tell { machine, now in machine.change(.cancel(id), at: now) }
    while engine.ask({ $0.nextDeadline }) != nil { await Task.yield() }
    #expect(engine.ask { $0.graph.phase(of: id) } == .executing, "all steps were taken")
    isDone.withLock { $0 = true }
    isDone.broadcast()
    let outcome = try await deaf.finished()
    #expect(outcome.ending == .succeeded)
    let next = PoolBlockOperation {}
    _ = client.add(next, to: queue, of: engine)
    let successor = try await next.finished()
    #expect(successor.ending == .succeeded && successor.worker != outcome.worker)
    engine.tell { machine, now in machine.supervise(.closeFleet(fleet), at: now) }
    await client.stopped()
    #expect(engine.ask { $0.supervisor.liveWorkerCount } == 0)
  }

  @Test(
    "most ends of short blocks are told on their threads, and none on a lowered one",
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/thread-self/comm")),
    arguments: [PoolQualityOfService.default, .utility]
  )
  func ends(quality: PoolQualityOfService) async throws {
    let client = BlockClient(quality)
    let (engine, fleet, queue) = try pool(client)
    let operations = (0..<500).map { _ in PoolBlockOperation {} }
    engine.setWidth(2, of: queue)
    _ = client.add(operations, to: queue, of: engine)
    for operation in operations { #expect(try await operation.finished().ending == .succeeded) }
    let onBlocks = client.threads.withLock { $0["opool-block", default: 0] }
    if quality == .default {
      #expect(onBlocks > operations.count / 2, "\(client.threads.withLock { $0 })")
    } else {
      #expect(onBlocks == 0)
    }
    engine.closeFleet(fleet)
    await client.stopped()
  }

  @Test("a lowered thread serves nothing else")
  func threads() throws {
    let threads = ThreadPool()
    let usual = Self.nice
    #expect(try nice(of: threads, .background) == min(usual + 19, 19))
    #expect(try nice(of: threads, .utility) == min(usual + 5, 19))
    #expect(try nice(of: threads, .userInitiated) == usual)
    #expect(try nice(of: threads, .default) == usual)
    #expect(try nice(of: threads, .background) == min(usual + 19, 19))
    threads.close()
    #expect(
      try nice(of: threads, .default) == usual,
      "a thread pool that was closed still executes"
    )
  }

  @Test("if a thread is missing for a body that a busy thread waits for, it is asked for again")
  func missingThread() throws {
    let startCount = Monitor(0)
    let threads = ThreadPool { ended, body throws(SystemFailure) in
      let count = startCount.withLock { count in
        count += 1
        return count
      }
      guard count != 2 else { throw SystemFailure(call: "pthread_create", code: EAGAIN) }
      try ThreadPool.startThread(ended, body)
    }
    let (meeting, met) = (Meeting(of: 2), Notebook<Bool>())
    try threads.execute(ThreadBlock { met.write(meeting.join()) }, as: .default)
    try threads.execute(ThreadBlock { met.write(meeting.join()) }, as: .default)
    #expect(met.reaches(2))
    #expect(met.all == [true, true] && startCount.withLock { $0 } == 3)
    threads.close()
  }

  /// How nice a thread of the thread pool is.
  private func nice(of threads: ThreadPool, _ qualityOfService: PoolQualityOfService) throws -> Int
  {
    let answer = Monitor<Int?>(nil)
    let work = ThreadBlock {
      let value = Self.nice
      answer.withLock { $0 = value }
      answer.broadcast()
    }
    try threads.execute(work, as: qualityOfService)
    return answer.wait(while: { $0 == nil }, then: { $0 ?? -1 })
  }

  /// The niceness of the calling thread: field 19 of its line in /proc, counted after its name.
  static var nice: Int {
    let text = (try? String(contentsOfFile: "/proc/thread-self/stat", encoding: .utf8)) ?? ""
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    return fields.count > 16 ? Int(fields[16]) ?? -1 : -1
  }
}

/// Submits blocks to an engine of its own.
private final class BlockClient: EngineClient {
  private let operations = Mutex<[OperationID: PoolOperation]>([:])
  private let end = AsyncStream<Void>.makeStream()
  private let quality: PoolQualityOfService
  /// How many ends were told on threads of each name.
  let threads = Mutex<[String: Int]>([:])

  init(_ quality: PoolQualityOfService = .default) { self.quality = quality }

  func add(
    _ operation: PoolOperation,
    to queue: QueueID,
    of engine: PoolEngine
  ) -> OperationID {
    add([operation], to: queue, of: engine)[0]
  }

  func add(
    _ added: [PoolOperation],
    to queue: QueueID,
    of engine: PoolEngine
  ) -> [OperationID] {
    engine.update { transaction in
      let ids = added.map { operation in
        let id = transaction.create(OperationSpec(kind: transaction.kind(operation.kind)))
        operations.withLock { $0[id] = operation }
        return id
      }
      _ = transaction.enqueue(ids, in: queue)
      return ids
    }
  }

  /// Waits until the engine has stopped.
  func stopped() async {
    for await _ in end.stream {}
  }

  func execution(of operation: OperationID) -> OperationExecution {
    preconditionFailure("blocks go to no process")
  }

  func hostedExecution(of operation: OperationID) -> HostedExecution {
    guard let found = operations.withLock({ $0[operation] }) else {
      preconditionFailure("it was added")
    }
    return HostedExecution(of: found, as: quality)
  }

  func handle(_ event: RunEvent, number: Int) {
    switch event {
    case .settled(let settlement, let report):
      let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
      let thread = name?.trimmingCharacters(in: .newlines) ?? ""
      threads.withLock { $0[thread, default: 0] += 1 }
      let operation = operations.withLock { $0[settlement.operation] }
      _ = operation?.finish(settlement, report, number: number)
    case .stopped: end.continuation.finish()
    default: break
    }
  }
}

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
    // As for the queues of the library.
    let engine = PoolEngine(policy: policy, tellsEveryStart: false)
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

  private static let namesThreads = FileManager.default.fileExists(atPath: "/proc/thread-self/comm")

  @Test("most ends of short blocks are told on their threads", .enabled(if: namesThreads))
  func ends() async throws {
    let names = try await endThreads(of: 500, ending: .succeeded) {}
    #expect(names["opool-block", default: 0] > 250, "\(names)")
  }

  @Test("no end is told on a lowered thread", .enabled(if: namesThreads))
  func loweredEnds() async throws {
    let names = try await endThreads(of: 200, as: .utility, ending: .succeeded) {}
    #expect(Array(names.keys) == ["opool"])
  }

  /// What the block has set for itself, such as values of its task, is still in force there.
  @Test("no end is told on a thread that its block has ended", .enabled(if: namesThreads))
  func endedThreads() async throws {
    let names = try await endThreads(of: 200, ending: .failed) { Thread.exit() }
    #expect(Array(names.keys) == ["opool"])
  }

  /// The names of the threads on which the ends of so many blocks are told.
  private func endThreads(
    of count: Int,
    as quality: PoolQualityOfService = .default,
    ending: PoolEnding,
    _ block: @escaping @Sendable () -> Void
  ) async throws -> [String: Int] {
    let client = BlockClient(quality)
    let (engine, fleet, queue) = try pool(client)
    engine.setWidth(2, of: queue)
    let operations = (0..<count).map { _ in PoolBlockOperation(block) }
    _ = client.add(operations, to: queue, of: engine)
    for operation in operations { #expect(try await operation.finished().ending == ending) }
    engine.closeFleet(fleet)
    await client.stopped()
    return client.threads.withLock { $0 }
  }

  /// Only the loop waits for the time, which begins with the block, and another thread takes turns.
  @Test(
    "each block that takes too long is asked to stop, in a pool that does nothing else",
    arguments: [1, 4]
  )
  func timeouts(count: Int) async throws {
    let client = BlockClient()
    let (engine, fleet, queue) = try pool(client)
    engine.setWidth(count, of: queue)
    for _ in 0..<5 {
      let operations = (0..<count).map { _ in
        PoolBlockOperation {
          let end = MonotonicClock.now + .seconds(20)
          while BlockExecution.current?.isAsked == false, MonotonicClock.now < end { usleep(1_000) }
        }
      }
      _ = client.add(operations, to: queue, of: engine, timeout: .milliseconds(20))
      for operation in operations { #expect(try await operation.finished().ending == .timedOut) }
    }
    engine.closeFleet(fleet)
    await client.stopped()
  }

  @Test("a thread of the user starts no thread, which would inherit what is set for it")
  func foreignThread() throws {
    let asked = Notebook<@Sendable () -> Void>()
    let threads = ThreadPool(onLoop: { asked.write($0) })
    let executed = Notebook<Int>()
    try threads.execute(ThreadBlock { executed.write(1) }, as: .default, on: .foreign)
    #expect(asked.all.count == 1 && executed.all.isEmpty)
    for start in asked.all { start() }
    #expect(executed.reaches(1))
    try threads.execute(ThreadBlock { executed.write(2) }, as: .default, on: .loop)
    #expect(executed.reaches(2) && asked.all.count == 1)
    threads.close()
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
    let threads = ThreadPool(start: { ended, body throws(SystemFailure) in
      let count = startCount.withLock { count in
        count += 1
        return count
      }
      guard count != 2 else { throw SystemFailure(call: "pthread_create", code: EAGAIN) }
      try ThreadPool.startThread(ended, body)
    })
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
    of engine: PoolEngine,
    timeout: Int64? = nil
  ) -> [OperationID] {
    engine.update(ifWanted: true) { transaction in
      let ids = added.map { operation in
        let kind = transaction.kind(operation.kind)
        let id = transaction.create(OperationSpec(kind: kind, timeout: timeout))
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

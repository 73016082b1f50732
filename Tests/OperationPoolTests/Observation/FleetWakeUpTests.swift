import Dispatch
import PoolModel
import PoolSystem
import PoolTestSupport
import Synchronization
import Testing

@testable import OperationPool

/// Contract: what happens in one fleet wakes no task that follows or waits for another one, however
/// many fleets there are.
@Suite("Wake-ups by fleets", .timeLimit(.minutes(30)))
struct FleetWakeUpTests {
  /// Executes the jobs of one task, and counts them: each wake-up of the task is at least one.
  private final class CountingExecutor: TaskExecutor {
    private struct Jobs {
      var added = 0
      var ended = 0
    }

    private let jobs = Monitor(Jobs())

    /// Number of jobs so far.
    var count: Int { jobs.withLock { $0.added } }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      jobs.withLock { $0.added += 1 }
      DispatchQueue.global().async { [self] in
        job.runSynchronously(on: asUnownedTaskExecutor())
        jobs.withLock { $0.ended += 1 }
        jobs.broadcast()
      }
    }

    /// Waits until the task suspends or has ended; returns the number of jobs.
    func pause() -> Int {
      jobs.wait(while: { $0.added == 0 || $0.ended < $0.added }, then: { $0.added })
    }
  }

  /// A task that follows the states of a fleet.
  private struct Follower {
    let executor = CountingExecutor()
    let read = Chronicle<PoolFleetState>()
    private let task: Task<Void, Never>

    init(of fleet: PoolFleet) {
      task = Task(executorPreference: executor) { [read, states = fleet.states] in
        for await state in states { read.write(state) }
      }
    }

    /// Waits until it has read the first state, and waits for another one.
    func pause() -> Int { executor.pause() }

    func end() async {
      task.cancel()
      await task.value
    }
  }

  /// Another turn of the loop: what the turns before have told was told.
  private func passTurns() async throws {
    let queue = try Pools.blocks()
    for _ in 0..<3 { try await queue.run(PoolBlockOperation {}) }
  }

  @Test("of 400 fleets that are followed, only the followers of one with a change are woken")
  func states() async throws {
    let fleets = try (0..<400).map { _ in try PoolFleet(.inProcess(Hosted.kinds, count: 1)) }
    let followers = fleets.map { Follower(of: $0) }
    let queue = try PoolOperationQueue(workers: .inProcess(Hosted.kinds, count: 1))
    let own = Follower(of: queue.fleet)
    let counts = try await Blocking.run { followers.map { $0.pause() } }
    let count = try await Blocking.run { own.pause() }
    #expect(try await queue.run(operation("noop")).ending == .succeeded)
    _ = try await own.read.when { $0.last?.alive == 1 }
    await queue.shutdown()
    #expect(try await own.read.when { $0.last?.alive == 0 }.last?.alive == 0)
    try await passTurns()
    #expect(own.executor.count > count)
    #expect(followers.map(\.executor.count) == counts)
    #expect(followers.allSatisfy { $0.read.all.count == 1 })
    for follower in followers + [own] { await follower.end() }
  }

  @Test("the end of a fleet wakes only the tasks that wait for it")
  func ends() async throws {
    let registry = OperationRegistry.process
    let waited = try PoolFleet()
    let task = Task {
      await withCheckedContinuation { continuation in
        registry.fleetEnds.withLock { $0[waited.id, default: EndWaiters()].add(0, continuation) }
      }
    }
    while registry.fleetEnds.withLock({ $0[waited.id] }) == nil { await Task.yield() }
    for _ in 0..<10 {
      let queue = try PoolOperationQueue(workers: .inProcess(Hosted.kinds, count: 1))
      #expect(try await queue.run(operation("noop")).ending == .succeeded)
      await queue.shutdown()
    }
    try await passTurns()
    let waiters = registry.fleetEnds.withLock { $0.removeValue(forKey: waited.id) }
    #expect(waiters?.count == 1)
    guard let waiters else { return }
    waiters.wakeAll()
    await task.value
  }
}

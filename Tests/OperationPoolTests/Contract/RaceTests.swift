import Foundation
import OperationPool
import PoolModel
import PoolSystem
import PoolTestSupport
import Testing

/// Contract: no wake-up is ever lost, however an addition, a dependency, a gate or a cancellation
/// falls together with the end of what is waited for (Foundation's defect D3).
///
/// `OPOOL_RACES` gives another number of races of each of the five sorts than 400;
/// `Scripts/stress` has a million.
@Suite("Races", .serialized, .timeLimit(.minutes(10)))
struct RaceTests {
  private static let count =
    ProcessInfo.processInfo.environment["OPOOL_RACES"].flatMap { Int($0) } ?? 400

  /// Which of the two is told of the other first.
  enum Race: CaseIterable, Sendable {
    /// The dependency is added, and may have finished when the dependent hears of it.
    case lateDependency
    /// The dependent is added while its dependency finishes.
    case lateAddition
    /// The dependent is in the queue already when it is told to wait.
    case lateEdge
    /// The edge is taken away while the dependency finishes.
    case removal
    /// A gate is opened while the operation is added.
    case gate
  }

  @Test(
    "nothing is lost when one operation finishes while another is added",
    arguments: Race.allCases
  )
  func races(race: Race) async throws {
    let started = MonotonicClock.now
    let endings = try await Blocking.run { try Self.run(race, count: Self.count) }
    let seconds = Double(MonotonicClock.now - started) / 1e9
    print("\(Self.count) races of \(race): \(endings), \(seconds) s")
    #expect(endings == [.succeeded: 2 * Self.count])
  }

  /// Two threads race with the coordinator's and with each other's; how many ended in which way.
  private static func run(_ race: Race, count: Int) throws -> [PoolEnding: Int] {
    let queues = [try Pools.blocks(), try Pools.blocks(width: 2)]
    // What were lost would hang for ever: cancelled, it is counted.
    let watchdog = Watchdog { for queue in queues { queue.cancelAllOperations() } }
    defer { withExtendedLifetime(watchdog) {} }
    let notebook = Notebook<[PoolOperation]>()
    let threads = try queues.map { queue in
      try SystemThread.start(name: "races", mask: .full) {
        for _ in 0..<count / 2 {
          do { notebook.write(try start(race, queue)) } catch { notebook.write([]) }
        }
      }
    }
    for thread in threads { thread.join() }
    for queue in queues { try queue.waitUntilAllOperationsAreFinished() }
    return notebook.all.joined().reduce(into: [:]) { endings, operation in
      endings[operation.outcome?.ending ?? .lost, default: 0] += 1
    }
  }

  private static func start(
    _ race: Race,
    _ queue: PoolOperationQueue
  ) throws -> [PoolOperation] {
    let (first, second) = (block(), block())
    switch race {
    case .lateDependency:
      try queue.addOperation(first)
      try second.addDependency(first)
      try queue.addOperation(second)
    case .lateAddition:
      try second.addDependency(first)
      try queue.addOperation(first)
      try queue.addOperation(second)
    case .lateEdge:
      try queue.addOperation(first)
      try queue.addOperation(second)
      try second.addDependency(first)
    case .removal:
      try second.addDependency(first)
      try queue.addOperation(second)
      try queue.addOperation(first)
      second.removeDependency(first)
    case .gate:
      let gates = [first.addGate(), second.addGate()]
      try queue.addOperation(first)
      gates[0].open()
      gates[1].open()
      try queue.addOperation(second)
    }
    return [first, second]
  }
}

import PoolSystem
import PoolTestSupport
import Synchronization
import Testing

@testable import OperationPool

/// Contract: what workers leave that die at once is ended at once, and before the next start.
@Suite("Spawner thread")
struct SpawnerThreadTests {
  private let orphans = Adoption.Orphans(worker: -1, command: nil, hasUnannounced: false)

  @Test("what several dead workers have left is ended together, before the next start")
  func together() {
    var requests = SpawnerThread.Requests()
    requests.pending.append {}
    for _ in 1...3 { requests.remains.append(.init(orphans: orphans) {}) }
    guard case .end(let remains) = requests.next() else {
      Issue.record("the start comes first")
      return
    }
    #expect(remains.count == 3)
    guard case .start = requests.next() else {
      Issue.record("the start is missing")
      return
    }
    #expect(requests.isEmpty)
  }

  @Test("of each worker it is told when nothing of it is left")
  func told() async throws {
    let thread = try SpawnerThread()
    let told = Mutex<[Int]>([])
    for place in 0..<8 { thread.end(orphans) { told.withLock { $0.append(place) } } }
    try await Blocking.run { thread.close(isStuck: false) }
    #expect(told.withLock { $0.sorted() } == Array(0..<8))
  }
}

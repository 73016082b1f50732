import PoolSystem
import Testing

@testable import OperationPool

/// Contract: a task that has left a thread takes no more work for it.
@Suite("Tasks that begin on a thread of the thread pool")
struct ThreadTurnTests {
  @Test("a task is on its thread until it suspends or ends, and only there")
  func current() throws {
    let turn = Monitor<ThreadTurn?>(nil)
    let found = Monitor<[Bool]>([])
    let thread = try SystemThread.start(name: "test-turn", mask: .full) {
      let own = ThreadTurn()
      own.begin()
      let first = own.number
      found.withLock { $0.append(own.isCurrent(first)) }
      own.endTask()
      found.withLock { $0 += [own.isCurrent(first), own.isCurrent(own.number)] }
      turn.withLock { $0 = own }
      turn.broadcast()
    }
    // Joined only at the end, so that no other thread has its identifier.
    let other = turn.wait(while: { $0 == nil }, then: { $0 })
    #expect(other?.isCurrent(1) == false)
    thread.join()
    #expect(found.withLock { $0 } == [true, false, true])
  }
}

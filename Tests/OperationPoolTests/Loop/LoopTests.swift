import PoolCore
import PoolModel
import PoolSystem
import PoolTestSupport
import Testing

@testable import OperationPool

/// Contract: what is told from other threads is always heard, and a loop waits without spinning.
@Suite("The loop's waiting")
struct LoopTests {
  private func wait(_ poller: inout Poller, _ nanoseconds: Int64?) -> [Int] {
    var ready: [(key: Int, Poller.Readiness)] = []
    poller.wait(nanoseconds: nanoseconds, into: &ready)
    return ready.map(\.key).sorted()
  }

  @Test("a loop that sleeps is left asleep by what can only make operations wait")
  func dependencies() {
    let engine = PoolEngine()
    engine.shared.withLock { $0.wakeUps.beginWaiting(spinning: false) }
    engine.update(ifWanted: true) { transaction in
      let kind = transaction.kind("k")
      let operations = (0..<2).map { _ in transaction.create(OperationSpec(kind: kind)) }
      let cycle = transaction.change(
        .addDependency(of: operations[1], on: operations[0], requiring: .succeeded)
      )
      #expect(cycle == nil)
    }
    #expect(engine.shared.withLock { $0.wakeUps.state } == .asleep)
    engine.update(ifWanted: true) { transaction in
      let queue = transaction.machine.addQueue(to: transaction.machine.addFleet())
      let operation = transaction.create(OperationSpec(kind: transaction.kind("k")))
      _ = transaction.enqueue([operation], in: queue)
      _ = transaction.cancel(operation)
    }
    #expect(engine.shared.withLock { $0.wakeUps.state } == .awake, "there are effects")
  }

  @Test("notices are taken once, and kept only while there is a loop")
  func takenNotices() throws {
    let engine = PoolEngine()
    let worker = WorkerID(rawValue: 1)
    engine.post(.greeted(worker))
    #expect(engine.loopMessages.takeAll().isEmpty)
    let wakePipe = try WakePipe()
    #expect(engine.shared.withLock { $0.wakeUps.beginLoop(wakePipe) })
    for _ in 0..<2 {
      engine.post(.greeted(worker))
      engine.post(.greeted(worker))
      #expect(engine.loopMessages.takeAll().count == 2)
      #expect(engine.loopMessages.takeAll().isEmpty)
    }
  }

  @Test("a poller tells which descriptors can be used, by their keys")
  func poller() throws {
    let (first, second) = (try Descriptors.pipe(), try Descriptors.pipe())
    var poller = Poller()
    poller.watch(first.read, for: .readable, key: 10)
    poller.watch(second.read, for: .readable, key: 20)
    poller.watch(second.write, for: .writable, key: 30)
    #expect(wait(&poller, nil) == [30])
    poller.forget(key: 30)
    #expect(wait(&poller, 0).isEmpty)
    try SystemIO.writeAll(first.write, [1])
    #expect(wait(&poller, nil) == [10])
    Descriptors.close(second.write, seenFrom: second.read)
    #expect(wait(&poller, nil) == [10, 20], "the end can be read too")
    poller.forget(key: 10)
    poller.forget(key: 10)
    #expect(wait(&poller, nil) == [20], "who is left keeps its key")
    for descriptor in [first.read, first.write, second.read] { Descriptors.close(descriptor) }
  }

  @Test("a poller's wait ends with its time, not before")
  func time() {
    var poller = Poller()
    let start = MonotonicClock.now
    #expect(wait(&poller, 2_500_000).isEmpty)
    #expect(MonotonicClock.now - start >= 2_500_000)
    #expect(wait(&poller, -5).isEmpty)
  }

  @Test("a writer whose reader is gone can be written, which tells so")
  func brokenPipe() throws {
    let pipe = try Descriptors.pipe()
    var poller = Poller()
    poller.watch(pipe.write, for: .writable, key: 1)
    Descriptors.close(pipe.read)
    #expect(wait(&poller, nil) == [1])
    Descriptors.close(pipe.write)
  }

  @Test("however often a wake pipe was called, one draining empties it, and it never blocks")
  func wakePipe() throws {
    let pipe = try WakePipe()
    var poller = Poller()
    poller.watch(pipe.descriptor, for: .readable, key: 1)
    #expect(wait(&poller, 0).isEmpty)
    for count in [1, 256, 1_000, 100_000] {
      for _ in 0..<count { pipe.wake() }
      #expect(wait(&poller, nil) == [1])
      pipe.drain()
      #expect(wait(&poller, 0).isEmpty)
    }
  }
}

import PoolModel
import PoolWire
import Testing

@testable import OperationWorker

/// What the worker decides about operations: prefetched, executing, then gone.
@Suite("The worker's machine: operations")
struct WorkerMachineTests {
  private typealias Ending = WorkerMachine.Ending

  @Test("Operations execute in the order in which they came; without any, the main thread reads")
  func order() throws {
    var machine = try WorkerMachine.prefetching(1, 2)
    #expect(machine.next() == .execute(.numbered(1)))
    #expect(machine.prefetchedCount == 1)
    #expect(machine.executing == .numbered(1))
    try machine.prefetch([.numbered(3)])
    #expect(machine.next() == .execute(.numbered(2)))
    #expect(machine.next() == .execute(.numbered(3)))
    #expect(machine.next() == .read)
    #expect(machine.executing == nil)
    #expect(machine.next() == .read)
  }

  @Test("Behind a link, an operation that comes twice, or late, is ignored")
  func repetitions() throws {
    var machine = try WorkerMachine.prefetching()
    machine.ignoreRepetitions()
    try machine.prefetch([.numbered(1), .numbered(1), .numbered(3), .numbered(2)])
    try machine.prefetch([.numbered(3), .numbered(4)])
    #expect(machine.prefetchedCount == 3)
    for number in [UInt64(1), 3, 4] { #expect(machine.next() == .execute(.numbered(number))) }
    #expect(machine.next() == .read)
  }

  @Test("A long stream of operations keeps its order")
  func longStream() throws {
    var machine = try WorkerMachine.prefetching()
    for start in stride(from: UInt64(0), to: 50_000, by: 5_000) {
      try machine.prefetch((start..<(start + 5_000)).map(Execute.numbered))
      for number in start..<(start + 5_000) {
        #expect(machine.next() == .execute(.numbered(number)))
        #expect(machine.prefetchedCount == Int(start + 4_999 - number))
      }
    }
    #expect(machine.next() == .read)
  }

  @Test("Recall returns only operations that have not started, and each of them once")
  func recall() throws {
    var machine = try WorkerMachine.prefetching(1, 2, 3)
    _ = machine.next()
    #expect(machine.recall(.numbered(1)) == false)
    #expect(machine.recall(.numbered(2)) == true)
    #expect(machine.recall(.numbered(2)) == false)
    #expect(machine.next() == .execute(.numbered(3)))
    #expect(machine.recall(.numbered(3)) == false)
  }

  @Test("A request with another dispatch number changes nothing")
  func staleRequests() throws {
    var machine = try WorkerMachine.prefetching(1, 2)
    _ = machine.next()
    for number in [UInt64(1), 2] {
      let stale = DispatchReference(
        operation: OperationID(rawValue: number),
        dispatch: DispatchNumber(rawValue: 9)
      )
      #expect(machine.recall(stale) == false)
      guard case .nothing = machine.cancel(stale, .standard, at: 5) else {
        Issue.record("a stale request found an operation")
        continue
      }
      let handle = CancelHandle(ask: { _ in }, kill: {})
      #expect(machine.register(handle, for: stale) == nil)
      #expect(machine.execution?.handle == nil)
    }
    #expect(machine.execution?.stop?.sequence == nil)
    #expect(machine.next() == .execute(.numbered(2)))
  }

  @Test("A prefetched operation that is cancelled is gone")
  func cancelPrefetched() throws {
    var machine = try WorkerMachine.prefetching(1, 2)
    _ = machine.next()
    guard case .prefetched = machine.cancel(.numbered(2), .standard, at: 5),
      case .nothing = machine.cancel(.numbered(2), .standard, at: 6)
    else {
      Issue.record("it is found once")
      return
    }
    #expect(machine.execution?.stop?.sequence == nil)
    #expect(machine.next() == .read)
  }

  @Test("An executing operation keeps the last sequence and the first time, until it is over")
  func cancelExecuting() throws {
    var machine = try WorkerMachine.prefetching(1)
    _ = machine.next()
    guard case .executing(nil) = machine.cancel(.numbered(1), .standard, at: 5),
      case .executing(nil) = machine.cancel(.numbered(1), .immediate, at: 9)
    else {
      Issue.record("it executes, and cannot be stopped yet")
      return
    }
    #expect(machine.execution?.stop?.since == 5)
    let handle = CancelHandle(ask: { _ in }, kill: {})
    #expect(machine.register(handle, for: .numbered(1)) == .immediate)
    guard case .executing(.some) = machine.cancel(.numbered(1), .standard, at: 11) else {
      Issue.record("it can be stopped now")
      return
    }
    #expect(machine.next() == .read)
    #expect(machine.execution == nil)
    guard case .nothing = machine.cancel(.numbered(1), .standard, at: 12) else {
      Issue.record("it is over")
      return
    }
  }

  @Test("Starting a process is known until it has a handle, or is given up")
  func spawning() throws {
    var machine = try WorkerMachine.prefetching(1, 2)
    machine.prepareSpawn()
    #expect(!machine.isSpawning, "nothing executes")
    _ = machine.next()
    machine.prepareSpawn()
    #expect(machine.isSpawning)
    let wasGivenUp = machine.abandonSpawn()
    #expect(wasGivenUp)
    #expect(!machine.isSpawning)
    machine.prepareSpawn()
    #expect(machine.register(CancelHandle(ask: { _ in }, kill: {}), for: .numbered(1)) == nil)
    #expect(!machine.isSpawning)
    let wasStillSpawning = machine.abandonSpawn()
    #expect(!wasStillSpawning)
    #expect(machine.execution?.handle != nil, "a process that has started can be stopped")
    _ = machine.next()
    #expect(machine.execution?.handle == nil)
  }

  @Test("Whether an operation starts a process is known while it executes")
  func processes() throws {
    var machine = try WorkerMachine.prefetching(1, 2)
    #expect(!machine.executesProcess)
    _ = machine.next { $0.reference == .numbered(1) }
    #expect(machine.executesProcess)
    _ = machine.next { $0.reference == .numbered(1) }
    #expect(!machine.executesProcess)
  }

  @Test("What is to be said of a process waits for the second look, of anything else for none")
  func processesAtLooks() throws {
    var machine = try WorkerMachine.prefetching(1, 2)
    _ = machine.next { $0.reference == .numbered(1) }
    let looks = [machine.look(), machine.look()]
    #expect(looks == [.pause, .read])
    #expect(looks.map(machine.waitsForNext) == [true, false])
    _ = machine.next { $0.reference == .numbered(1) }
    #expect(!machine.waitsForNext(.pause), "no process is being executed")
  }

  @Test("Drain ends after what is prefetched")
  func drain() throws {
    var machine = try WorkerMachine.prefetching(1)
    machine.drain()
    #expect(machine.next() == .execute(.numbered(1)))
    #expect(machine.ending == nil)
    #expect(machine.next() == .end(Ending()))
    #expect(machine.next() == .end(Ending()))
    #expect(machine.endInput() == nil)
  }

  @Test("The end of the input ends before what is prefetched, and keeps what executes")
  func endOfInput() throws {
    var idle = try WorkerMachine.prefetching(1)
    #expect(idle.endInput() == nil)
    #expect(idle.next() == .end(Ending(isInputEnded: true)))
    var busy = try WorkerMachine.prefetching(1, 2)
    _ = busy.next()
    #expect(busy.endInput()?.reference == .numbered(1))
    #expect(busy.register(CancelHandle(ask: { _ in }, kill: {}), for: .numbered(1)) == nil)
    #expect(busy.execution?.handle != nil, "what still executes can be stopped")
    #expect(busy.next() == .end(Ending(isInputEnded: true)))
    #expect(busy.execution == nil)
  }

  @Test("A failure stops what executes; the first one is thrown, also after the end of the input")
  func failure() throws {
    let (first, second) = (PoolWorkerError(.system, "first"), PoolWorkerError(.system, "second"))
    var machine = try WorkerMachine.prefetching(1, 2)
    _ = machine.next()
    #expect(machine.fail(first, at: 7)?.reference == .numbered(1))
    #expect(machine.fail(second, at: 8)?.stop?.since == 7)
    let handle = CancelHandle(ask: { _ in }, kill: {})
    #expect(machine.register(handle, for: .numbered(1)) == .immediate)
    #expect(machine.ending == Ending(failure: first))
    _ = machine.endInput()
    #expect(machine.next() == .end(Ending(failure: first, isInputEnded: true)))
    var idle = try WorkerMachine.prefetching(1)
    #expect(idle.fail(first, at: 7) == nil)
    #expect(idle.next() == .end(Ending(failure: first)))
  }

  @Test("Nothing is accepted before one welcome of a version that was offered")
  func handshake() throws {
    var machine = WorkerMachine()
    #expect(throws: Violation.unexpected("an 'execute' before its 'welcome'")) {
      try machine.prefetch([.numbered(1)])
    }
    #expect(throws: Violation.unexpected("version 2, which was not offered")) {
      try machine.accept(Welcome(version: 2, worker: WorkerID(rawValue: 1)))
    }
    try machine.accept(Welcome(worker: WorkerID(rawValue: 1)))
    #expect(throws: Violation.unexpected("a second 'welcome'")) {
      try machine.accept(Welcome(worker: WorkerID(rawValue: 1)))
    }
    #expect(machine.next() == .read)
  }
}

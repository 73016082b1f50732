import OperationPool
import PoolModel
import PoolSystem
import PoolTestSupport
import Testing

/// Contract: a lowered thread takes no lock that others want, and makes no thread that is as low as
/// itself.
@Suite("The thread of the normal priority", .timeLimit(.minutes(30)))
struct NormalPriorityThreadTests {
  /// What the body returns on a thread that was lowered.
  private func lowered<Value: Sendable>(
    _ quality: PoolQualityOfService = .background,
    _ body: @escaping @Sendable () -> Value
  ) throws -> Value? {
    let value = Monitor<Value?>(nil)
    let thread = try SystemThread.start(name: "test-lowered", mask: .full) {
      ThreadPriority.lower(to: quality)
      let result = body()
      value.withLock { $0 = result }
    }
    thread.join()
    return value.withLock { $0 }
  }

  @Test("what a lowered thread leaves to it is done on a thread that is not, and waited for")
  func call() throws {
    let places = try lowered {
      [ThreadPriority.isLowered, NormalPriorityThread.execute { ThreadPriority.isLowered }]
    }
    #expect(places == [true, false])
    #expect(NormalPriorityThread.execute { ThreadPriority.isLowered } == false)
  }

  @Test("what it throws is thrown where it was asked")
  func error() throws {
    let failure = try lowered { () -> SystemFailure? in
      do throws(SystemFailure) {
        try NormalPriorityThread.execute { () throws(SystemFailure) in
          throw SystemFailure(call: "it", code: 1)
        }
        return nil
      } catch {
        return error
      }
    }
    #expect(failure == SystemFailure(call: "it", code: 1))
  }

  @Test("a thread that a lowered one makes is not lowered")
  func threads() throws {
    let isLow = try lowered { () -> Bool? in
      let isLow = Monitor<Bool?>(nil)
      let thread = try? SystemThread.start(name: "test-made", mask: .full) {
        let found = ThreadPriority.isLowered
        isLow.withLock { $0 = found }
      }
      thread?.join()
      return isLow.withLock { $0 }
    }
    #expect(isLow == false)
  }

  @Test("calls of many lowered threads are each made once")
  func many() async throws {
    let done = Monitor(0)
    let threads = try (0..<8).map { _ in
      try SystemThread.start(name: "test-lowered", mask: .full) {
        ThreadPriority.lower(to: .utility)
        for _ in 0..<500 { NormalPriorityThread.execute { done.withLock { $0 += 1 } } }
      }
    }
    for thread in threads { thread.join() }
    #expect(done.withLock { $0 } == 4_000)
  }

  /// A debug build stops where one of them takes the coordinator's lock.
  @Test(
    "lowered blocks use the pool as others do",
    arguments: [
      PoolQualityOfService.background, .utility,
    ]
  )
  func blocks(quality: PoolQualityOfService) async throws {
    let queue = try Pools.queue()
    let notebook = Notebook<Int>()
    let blocks = (0..<20).map { index in
      PoolBlockOperation(options: .init(qualityOfService: quality)) {
        let inner = PoolBlockOperation { notebook.write(index) }
        try queue.addOperation(inner)
        _ = (queue.operationCount, PoolOperation.current?.state)
      }
    }
    for block in blocks { try block.addExecutionBlock { _ = queue.operationCount } }
    let suspending = PoolBlockOperation(options: .init(qualityOfService: quality)) {
      () async throws in
      try queue.addOperation(PoolBlockOperation { notebook.write(20) })
    }
    try queue.addOperations(blocks + [suspending])
    for block in blocks { #expect(try await block.finished().ending == .succeeded) }
    #expect(try await suspending.finished().ending == .succeeded)
    try await queue.allOperationsFinished()
    #expect(notebook.all.sorted() == Array(0...20))
  }
}

import OperationPool
import PoolModel
import PoolSystem
import PoolTestSupport
import Testing

/// Contract: the faults that were found in Foundation's queue on Linux are not ours.
///
/// They are numbered D1 to D12; no test of Foundation's covers any of them.
@Suite("Foundation's defects", .timeLimit(.minutes(30)))
struct DefectTests {
  /// D1: there, it never executes; a cancelled and finished one makes the count negative.
  @Test("D1: an added operation whose last unfinished dependency is removed executes")
  func removeDependency() async throws {
    let queue = try Pools.blocks()
    let (first, second, cancelled) = (block(), block(), block())
    cancelled.cancel()
    try queue.addOperation(cancelled)
    try await cancelled.finished()
    for dependency in [cancelled, first] { try second.addDependency(dependency) }
    try queue.addOperation(second)
    second.removeDependency(cancelled)
    #expect(second.state == .pending)
    second.removeDependency(first)
    #expect(try await second.finished().ending == .succeeded)
    #expect(first.state == .ready)
  }

  /// D2: there, the queue deadlocks.
  @Test("D2: a cancelled operation is added behind a barrier that waits")
  func cancelledBehindBarrier() async throws {
    let queue = try Pools.blocks(width: 1)
    let first = block()
    let gate = first.addGate()
    try queue.addOperation(first)
    let barrier = try queue.addBarrierBlock {}
    let cancelled = block()
    cancelled.cancel()
    try queue.addOperation(cancelled)
    #expect(try await cancelled.finished().ending == .cancelled)
    #expect(barrier.state == .pending)
    gate.open()
    #expect(try await barrier.finished().ending == .succeeded)
  }

  /// D4: there, it stays in its old place.
  @Test("D4: on a serial queue, one with a quality of service is promoted while it waits")
  func changePriority() async throws {
    let queue = try Pools.blocks(width: 1)
    let notebook = Notebook<String>()
    queue.isSuspended = true
    try queue.addOperations((0..<3).map { _ in block { notebook.write("normal") } })
    let promoted = block { notebook.write("promoted") }
    promoted.qualityOfService = .background
    try queue.addOperation(promoted)
    promoted.queuePriority = .veryHigh
    queue.isSuspended = false
    try await queue.allOperationsFinished()
    #expect(notebook.all == ["promoted", "normal", "normal", "normal"])
  }

  /// D5: there, it executes at once, uncounted, on another queue.
  @Test("D5: a barrier on an empty queue is an operation like any other")
  func barrierOnEmpty() async throws {
    let queue = try Pools.blocks()
    queue.isSuspended = true
    let barrier = try queue.addBarrierBlock {}
    try await Pools.blocks().addOperation {}.finished()
    #expect(barrier.isReady)
    #expect(queue.operationCount == 1 && queue.operations.first === barrier)
    queue.isSuspended = false
    try await queue.allOperationsFinished()
    #expect(barrier.outcome?.ending == .succeeded)
  }

  /// D6: there, no observer is told.
  @Test("D6: cancelling all cancels a waiting barrier, which says so, and holds nothing back")
  func cancelledBarrier() async throws {
    let queue = try Pools.blocks()
    let (begun, end) = (Meeting(of: 2), Meeting(of: 2))
    let executing = block {
      begun.join()
      end.join()
    }
    try queue.addOperation(executing)
    try await Blocking.run { begun.join() }
    let barrier = try queue.addBarrierBlock {}
    queue.cancelAllOperations()
    #expect(try await barrier.finished().ending == .cancelled)
    let after = try queue.addOperation {}
    #expect(try await after.finished().ending == .succeeded)
    try await Blocking.run { end.join() }
    try await executing.finished()
  }

  /// D7: there, waiting spins, and returns before the queue is empty.
  @Test("D7: after waiting for a queue, it is empty and each outcome is there")
  func waiting() async throws {
    let queue = try Pools.blocks()
    let operation = block()
    let gate = operation.addGate()
    try queue.addOperation(operation)
    let waiter = try SystemThread.start(name: "waits", mask: .full) {
      try? queue.waitUntilAllOperationsAreFinished()
      #expect(queue.operationCount == 0 && operation.outcome != nil)
    }
    gate.open()
    try await Blocking.run { waiter.join() }
  }

  /// D8: there, only the queue behind it knows of the barrier by then.
  @Test("D8: what is added while a barrier executes waits for its end")
  func duringBarrier() async throws {
    let queue = try Pools.blocks()
    let (begun, end) = (Meeting(of: 2), Meeting(of: 2))
    let barrier = try queue.addBarrierBlock {
      begun.join()
      end.join()
    }
    try await Blocking.run { begun.join() }
    let after = try queue.addOperation {}
    try await Pools.blocks().addOperation {}.finished()
    #expect(barrier.isExecuting && after.state == .pending)
    try await Blocking.run { end.join() }
    #expect(try await after.finished().ending == .succeeded)
  }

  /// D9: there, the counter counts batches, and goes below nothing.
  @Test("D9: the count is right in every way to add and to finish")
  func count() async throws {
    let queue = try Pools.blocks()
    queue.isSuspended = true
    let (failing, cancelled, skipped) = (
      block { throw Refusal(description: "no") }, block(), block()
    )
    try skipped.addDependency(failing, requiring: .succeeded)
    try queue.addOperations([failing, cancelled])
    try queue.addOperation(skipped)
    try queue.addOperation {}
    try queue.addBarrierBlock {}
    #expect(queue.operationCount == 5)
    cancelled.cancel()
    #expect(queue.operationCount == 4 && queue.operations.count == 4)
    queue.isSuspended = false
    try await queue.allOperationsFinished()
    #expect(queue.operationCount == 0 && skipped.outcome?.ending == .skipped)
  }

  /// D10: there, it is accepted, and hangs.
  @Test("D10: an operation that would wait for itself is refused")
  func selfDependency() throws {
    let operation = block("selfish")
    let refusal = #expect(throws: PoolError.self) { try operation.addDependency(operation) }
    #expect(refusal?.code == .cycle)
    #expect(operation.dependencies.isEmpty && operation.isReady)
  }

  /// D11: there, each of these ends the process.
  @Test("D11: misuse is a thrown error")
  func misuse() async throws {
    let (queue, other) = (try Pools.blocks(), try Pools.blocks())
    let operation = block()
    try queue.addOperation(operation)
    #expect(throws: PoolError.self) { try other.addOperation(operation) }
    try await operation.finished()
    let refusal = #expect(throws: PoolError.self) { try queue.addOperation(operation) }
    #expect(refusal?.code == .alreadyEnqueued)
    queue.maxConcurrentOperationCount = -17
    let standard = PoolOperationQueue.defaultMaxConcurrentOperationCount
    #expect(queue.maxConcurrentOperationCount == standard)
  }

  /// D12: there, it is a data race; ThreadSanitizer, run over this, would say so of ours.
  @Test("D12: priority, name and the rest are read and written from several threads at once")
  func properties() throws {
    let operation = block()
    let threads = try (0..<4).map { number in
      try SystemThread.start(name: "property", mask: .full) {
        for round in 0..<500 {
          operation.name = "\(number)"
          operation.queuePriority = round.isMultiple(of: 2) ? .high : .low
          operation.qualityOfService = round.isMultiple(of: 2) ? .utility : .background
          _ = (operation.name, operation.queuePriority, operation.qualityOfService)
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(["0", "1", "2", "3"].contains(operation.name))
    #expect(operation.queuePriority == .low && operation.qualityOfService == .background)
  }
}

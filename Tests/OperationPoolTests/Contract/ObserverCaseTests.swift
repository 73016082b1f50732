import OperationPool
import PoolModel
import Testing

/// Contract: the order in which observers are told of an end, as ProcedureKit's users and those of
/// other frameworks fell over it.
///
/// In brackets the case that each test takes over.
@Suite("ProcedureKit's cases: observers", .timeLimit(.minutes(30)))
struct ObserverCaseTests {
  // [CancellationTests: cancel_from_didcancel_observer_is_ignored]
  @Test("an observer of a cancellation cancels again, and nothing more happens")
  func cancelFromObserver() async throws {
    let queue = try Pools.blocks()
    queue.isSuspended = true
    let notebook = Notebook<String>()
    let operation = block()
    operation.completionBlock = { notebook.write("completion") }
    let observation = operation.observe(\.isCancelled) { operation, _ in
      operation.cancel()
      notebook.write("cancelled")
    }
    try queue.addOperation(operation)
    operation.cancel()
    #expect(notebook.reaches(2))
    try await Pools.blocks().addOperation {}.finished()
    #expect(notebook.all == ["cancelled", "completion"])
    observation.invalidate()
  }

  // [SwiftQueue #389, WinObjC #734]
  @Test("an observer of an end finds the outcome and an empty queue; completion comes last")
  func order() async throws {
    let queue = try Pools.blocks()
    let notebook = Notebook<String>()
    let operation = block()
    @Sendable func look(_ who: String) {
      let isOver = operation.outcome != nil && operation.isFinished && queue.operationCount == 0
      notebook.write(isOver ? who : "\(who), too early")
    }
    let observation = operation.observe(\.isFinished) { _, _ in look("observer") }
    operation.completionBlock = { look("completion") }
    try queue.addOperation(operation)
    try await operation.finished()
    look("waiter")
    #expect(notebook.reaches(3))
    #expect(Set(notebook.all) == ["waiter", "observer", "completion"])
    let told = notebook.all.filter { $0 != "waiter" }
    #expect(told == ["observer", "completion"])
    observation.invalidate()
  }

  // [what a completion block keeps is let go]
  @Test("a completion block is let go when it was called; one set afterwards is called at once")
  func completionIsLetGo() async throws {
    let queue = try Pools.blocks()
    let notebook = Notebook<Int>()
    let operation = block()
    weak var kept: Notebook<Int>?
    do {
      let inner = Notebook<Int>()
      kept = inner
      operation.completionBlock = {
        inner.write(1)
        notebook.write(1)
      }
    }
    try queue.addOperation(operation)
    try await operation.finished()
    #expect(notebook.reaches(1))
    operation.completionBlock = { notebook.write(2) }
    #expect(notebook.reaches(2))
    #expect(kept == nil && operation.completionBlock == nil)
  }

  @Test("a completion block is called under no lock: it may do anything")
  func completionIsFree() async throws {
    let queue = try Pools.blocks()
    let notebook = Notebook<PoolOperation>()
    let operation = block()
    operation.completionBlock = {
      let next = block()
      try? next.addDependency(operation)
      try? queue.addOperation(next)
      try? next.waitUntilFinished()
      queue.cancelAllOperations()
      notebook.write(next)
    }
    try queue.addOperation(operation)
    #expect(notebook.reaches(1))
    #expect(notebook.all.first?.outcome?.ending == .succeeded)
  }
}

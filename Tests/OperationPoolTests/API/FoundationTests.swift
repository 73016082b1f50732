import Foundation
import OperationPool
import PoolModel
import PoolTestSupport
import Testing

/// Contract: operations of the pool and of Foundation can wait for one another.
@Suite("Beside Foundation's operations", .timeLimit(.minutes(30)))
struct FoundationTests {
  @Test("a pool operation waits for one of Foundation's")
  func ours() async throws {
    let (queue, foundation) = (try Pools.queue(), OperationQueue())
    let notebook = Notebook<String>()
    let first = BlockOperation { notebook.write("theirs") }
    let second = PoolBlockOperation { notebook.write("ours") }
    try second.addDependency(first)
    try queue.addOperation(second)
    #expect(!second.isReady && second.dependencies.isEmpty)
    foundation.addOperation(first)
    #expect(try await second.finished().ending == .succeeded)
    #expect(notebook.all == ["theirs", "ours"])
  }

  @Test("one of Foundation's waits for a pool operation, in whatever way that ends")
  func theirs() async throws {
    let (queue, foundation) = (try Pools.queue(), OperationQueue())
    for kind in ["noop", "fail", "crash"] {
      let first = operation(kind, #"{"message":"no"}"#)
      let notebook = Notebook<PoolEnding?>()
      let second = BlockOperation { notebook.write(first.outcome?.ending) }
      second.addDependency(first.foundationOperation)
      foundation.addOperation(second)
      #expect(!second.isReady)
      try queue.addOperation(first)
      try await Blocking.run { second.waitUntilFinished() }
      #expect(notebook.all == [first.outcome?.ending] && first.outcome != nil)
      #expect(first.foundationOperation.isFinished && !first.foundationOperation.isCancelled)
    }
  }

  @Test("the mirror is one object, and knows of a cancellation, both ways")
  func mirror() async throws {
    let queue = try Pools.queue()
    let (one, two) = (operation("noop", name: "one"), operation("untilCancelled", "{}"))
    #expect(one.foundationOperation === one.foundationOperation)
    #expect(one.foundationOperation.name == "one")
    one.cancel()
    let mirror = two.foundationOperation
    try queue.addOperations([one, two])
    #expect(try await one.finished().ending == .cancelled)
    #expect(one.foundationOperation.isCancelled && one.foundationOperation.isFinished)
    #expect(await two.reaches(.executing))
    mirror.cancel()
    #expect(try await two.finished().ending == .cancelled)
    try await Blocking.run { mirror.waitUntilFinished() }
  }

  @Test("the mirror may be in a queue of Foundation's, and finishes there with the operation")
  func queued() async throws {
    let (queue, foundation) = (try Pools.queue(), OperationQueue())
    let first = operation("noop")
    let gate = first.addGate()
    foundation.addOperation(first.foundationOperation)
    try queue.addOperation(first)
    #expect(foundation.operationCount == 1)
    gate.open()
    try await Blocking.run { foundation.waitUntilAllOperationsAreFinished() }
    #expect(first.isFinished && foundation.operationCount == 0)
  }

  @Test("an operation that is released releases no other")
  func released() async throws {
    let foundation = OperationQueue()
    let second = BlockOperation {}
    var first: PoolOperation? = operation("noop")
    if let mirror = first?.foundationOperation { second.addDependency(mirror) }
    foundation.addOperation(second)
    first = nil
    try await Blocking.run { second.waitUntilFinished() }
    #expect(second.dependencies.allSatisfy { $0.isCancelled })
  }

  @Test("what has finished is not waited for")
  func finished() async throws {
    let queue = try Pools.queue()
    let first = BlockOperation {}
    first.start()
    let second = operation("noop")
    try second.addDependency(first)
    #expect(second.isReady)
    try queue.addOperation(second)
    #expect(try await second.finished().ending == .succeeded)
    let third = BlockOperation {}
    third.addDependency(second.foundationOperation)
    #expect(third.isReady)
  }

  @Test("a cycle through both graphs is refused, as far as it can be seen")
  func cycle() async throws {
    let (one, two) = (operation("noop", name: "one"), operation("noop", name: "two"))
    let (near, far) = (BlockOperation {}, BlockOperation {})
    far.addDependency(one.foundationOperation)
    near.addDependency(far)
    let error = #expect(throws: PoolError.self) { try one.addDependency(near) }
    #expect(error?.code == .cycle)
    try two.addDependency(near)
    let other = #expect(throws: PoolError.self) { try one.addDependency(two) }
    #expect(other?.code == .cycle)
    #expect(other?.description.contains("'one' → 'two' → 'one'") == true)
  }

  @Test("a longer cycle through both graphs is refused before any of it is in a queue")
  func longCycle() throws {
    let names = ["x", "y", "z"].map { operation("noop", name: $0) }
    let between = BlockOperation {}
    between.addDependency(names[1].foundationOperation)
    try names[0].addDependency(between)
    try names[1].addDependency(names[2])
    let error = #expect(throws: PoolError.self) { try names[2].addDependency(names[0]) }
    #expect(error?.code == .cycle)
    #expect(error?.description.contains("'z' → 'x' → ") == true, "\(error?.description ?? "")")
  }

  /// Foundation on Linux would notify an object that is gone.
  @Test("what waits for a pool operation is kept until it has been told of the end, and not longer")
  func kept() async throws {
    let (queue, foundation) = (try Pools.queue(), OperationQueue())
    let (first, second) = (PoolBlockOperation {}, PoolBlockOperation {})
    weak var waiting: BlockOperation?
    do {
      let between = BlockOperation {}
      between.addDependency(first.foundationOperation)
      try second.addDependency(between)
      try queue.addOperation(second)
      between.cancel()
      foundation.addOperation(between)
      waiting = between
    }
    #expect(try await second.finished().ending == .succeeded)
    try await Blocking.run { foundation.waitUntilAllOperationsAreFinished() }
    #expect(waiting != nil)
    try queue.addOperation(first)
    try await first.finished()
    while waiting != nil { await Task.yield() }
  }

  @Test("what one of Foundation's no longer waits for is not waited for either")
  func removed() async throws {
    let (queue, foundation) = (try Pools.queue(), OperationQueue())
    let never = PoolBlockOperation {}
    for isOwn in [false, true] {
      let between = BlockOperation {}
      between.addDependency(never.foundationOperation)
      let operation = PoolBlockOperation {}
      try operation.addDependency(between)
      if isOwn { try operation.addDependency(never) }
      try queue.addOperation(operation)
      // It no longer waits for anything.
      between.cancel()
      foundation.addOperation(between)
      if isOwn {
        try await Blocking.run { between.waitUntilFinished() }
        #expect(!operation.isReady)
        try queue.addOperation(never)
      }
      #expect(try await operation.finished().ending == .succeeded)
    }
  }

  @Test("no finish is missed, whenever the dependency is added")
  func races() async throws {
    let queue = try Pools.queue()
    for _ in 0..<500 {
      let first = BlockOperation {}
      let second = PoolBlockOperation {}
      async let start: Void = Task.detached { first.start() }.value
      try second.addDependency(first)
      try queue.addOperation(second)
      #expect(try await second.finished().ending == .succeeded)
      await start
    }
  }
}

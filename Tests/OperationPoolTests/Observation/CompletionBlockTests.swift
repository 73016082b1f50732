import Dispatch
import PoolModel
import PoolSystem
import PoolTestSupport
import Testing

@testable import OperationPool

@Suite("Completion blocks of one turn", .timeLimit(.minutes(30)))
struct CompletionBlockTests {
  @Test("each is called once, though all are handed over together")
  func once() {
    let blocks = CompletionBlocks()
    let calls = Notebook<Int>()
    for number in 0..<1_000 { blocks.append(CompletionBlock { calls.write(number) }) }
    blocks.callAll()
    blocks.callAll()
    #expect(calls.reaches(1_000))
    #expect(calls.all.sorted() == Array(0..<1_000))
  }

  @Test("blocks that wait for one another all begin")
  func meeting() async throws {
    let blocks = CompletionBlocks()
    let meeting = Meeting(of: 3)
    let results = Notebook<Bool>()
    for _ in 0..<3 { blocks.append(CompletionBlock { results.write(meeting.join()) }) }
    blocks.callAll()
    try await Blocking.run { #expect(results.reaches(3)) }
    #expect(results.all == [true, true, true])
  }

  @Test("its operation lives until it returns, though nothing else holds it", arguments: [0, 1, 2])
  func alive(way: Int) async throws {
    let queue = PoolOperationQueue(fleet: try PoolFleet())
    if way == 1 { queue.underlyingQueue = DispatchQueue(label: "alive") }
    let seen = Notebook<Bool>()
    for _ in 0..<200 {
      let operation = PoolBlockOperation {}
      operation.completionBlock = { [unowned operation] in
        seen.write(operation.outcome?.ending == .succeeded)
      }
      let observation = way == 2 ? operation.observe(\.isFinished) { _, _ in } : nil
      try queue.addOperation(operation)
      withExtendedLifetime(observation) {}
    }
    do {
      let late = PoolBlockOperation {}
      try await queue.run(late)
      late.completionBlock = { [unowned late] in seen.write(late.outcome != nil) }
    }
    try await Blocking.run { #expect(seen.reaches(201)) }
    #expect(seen.all.allSatisfy { $0 })
  }

  @Test("on a queue of the user's each is handed over before a thread that waits wakes, in order")
  func serial() async throws {
    let queue = PoolOperationQueue(fleet: try PoolFleet())
    let callbacks = DispatchQueue(label: "serial")
    queue.underlyingQueue = callbacks
    queue.maxConcurrentOperationCount = 1
    let calls = Notebook<Int>()
    let operations = (0..<100).map { number in
      let operation = PoolBlockOperation {}
      operation.completionBlock = { calls.write(number) }
      return operation
    }
    try queue.addOperations(operations)
    try await Blocking.run {
      try queue.waitUntilAllOperationsAreFinished()
      callbacks.sync {}
    }
    #expect(calls.all == Array(0..<100))
  }
}

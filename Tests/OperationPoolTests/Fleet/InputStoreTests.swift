import OperationWorker
import PoolModel
import PoolTestSupport
import PoolWire
import Synchronization
import Testing

@testable import OperationPool
@testable import PoolContents

/// Contract: what an operation makes is kept as long as another one may take it, and no longer.
@Suite("Store of inputs", .timeLimit(.minutes(30)))
struct InputStoreTests {
  private let store = InputStore()

  private func id(_ number: Int) -> OperationID { OperationID(index: number, generation: 0) }

  private func give(_ maker: Int, to taker: Int, endedWith result: String? = nil) {
    let description = InputDescription(name: "x", from: "m", isOutput: false)
    store.give(description, of: id(maker), to: id(taker)) { content in
      if let result { content.fill(with: Array(result.utf8)) }
      return result != nil
    }
  }

  private func end(_ maker: Int, with result: String) {
    store.noteEnd(of: id(maker), AttemptReport(result: Array(result.utf8)))
  }

  private func content(of taker: Int) throws -> [NamedInput.Content] {
    try store.inputs(of: id(taker)).map { try $0.wire(asFile: false).content }
  }

  @Test("each taker has it until it has ended itself")
  func takers() throws {
    for taker in [1, 2] { give(0, to: taker) }
    #expect(throws: InputFailure.self) { try content(of: 1) }
    end(0, with: "7")
    #expect(try content(of: 1) == [.json(Array("7".utf8))])
    store.noteEnd(of: id(1), .empty)
    #expect(try content(of: 1).isEmpty)
    #expect(try content(of: 2) == [.json(Array("7".utf8))])
    store.noteEnd(of: id(2))
    #expect(store.keptCount == 0)
  }

  @Test("an end that comes while an input is added is noted")
  func meanwhile() {
    let description = InputDescription(name: "x", from: "m", isOutput: false)
    #expect(!store.isUsed)
    store.give(description, of: id(0), to: id(1)) { _ in
      #expect(store.isUsed)
      return false
    }
  }

  @Test("one that has ended before gives what it has made, and nothing waits for it")
  func late() throws {
    give(0, to: 1, endedWith: "8")
    #expect(try content(of: 1) == [.json(Array("8".utf8))])
    store.noteEnd(of: id(1), .empty)
    #expect(store.keptCount == 0)
  }

  @Test("what no taker wants any more is let go, whichever ends first")
  func unwanted() {
    for number in stride(from: 0, to: 2_000, by: 2) { give(number, to: number + 1) }
    #expect(store.keptCount == 2_000)
    for number in stride(from: 0, to: 2_000, by: 2) {
      let isFirst = number % 4 == 0
      if isFirst { end(number, with: "1") }
      store.noteEnd(of: id(number + 1))
      if !isFirst { end(number, with: "1") }
    }
    #expect(store.keptCount == 0)
  }

  @Test("an operation that takes inputs and is let go without having been added leaves none")
  func forgotten() throws {
    let store = OperationRegistry.process.engine.inputs
    let maker = operation("echo", "1")
    var taker: PoolInvocationOperation? = operation("bytesOfInput", #"{"name":"x"}"#)
    try taker?.addInput("x", from: maker)
    let id = try #require(taker?.life.withLock { $0.id })
    #expect(store.inputs(of: id).count == 1)
    taker = nil
    #expect(store.inputs(of: id).isEmpty)
  }

  @Test("an input is had, whether it is asked for before, while or after its maker ends")
  func whileEnding() async throws {
    let queue = try Pools.queue(2)
    for _ in 0..<200 {
      let maker = operation("echo", "1")
      try queue.addOperation(maker)
      let takers = (0..<5).map { _ in operation("sumOfInputs", "{}") }
      for taker in takers { try taker.addInput("one", from: maker) }
      try queue.addOperations(takers)
      for taker in takers { #expect(try await taker.finished().text == "1") }
    }
  }

  @Test(
    "20,000 operations whose results are taken leave no memory behind",
    .disabled(if: Sanitizer.isThere, "it keeps what is freed")
  )
  func memory() async throws {
    #expect(try await Scenes.play("inputs") == ["flat"])
  }
}

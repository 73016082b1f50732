import PoolCore
import PoolModel
import PoolSystem
import PoolWire
import Synchronization
import Testing

@testable import OperationPool
@testable import PoolContents

/// Contract: a question about the output so far reaches the worker that executes the operation, and
/// each one is answered once.
@Suite("Questions about outputs so far")
struct TailTests {
  /// The answers that came, in order.
  private final class Answers: Sendable {
    private let all = Mutex<[WrittenOutputs?]>([])

    var taken: [WrittenOutputs?] {
      all.withLock { all in
        defer { all = [] }
        return all
      }
    }

    func ask(_ engine: PoolEngine, _ number: Int, _ request: TailRequest = TailRequest()) {
      engine.tail(of: number, request) { answer in self.all.withLock { $0.append(answer) } }
    }
  }

  private static func execution(_ worker: FakeWorker) throws -> DispatchReference {
    for case .execute(let execute) in try worker.hear() { return execute.reference }
    throw Refusal(description: "nothing was dispatched")
  }

  private let written = WrittenOutputs(output: WrittenPiece([65], end: 1))

  @Test("the worker is asked, and its answer passed on, in the order of the questions")
  func asked() throws {
    var stage = try LoopStage()
    let operation = stage.submit()
    stage.settle()
    let worker = try stage.startGreetedWorker([.tail])
    let reference = try Self.execution(worker)
    let answers = Answers()
    answers.ask(stage.engine, operation.number)
    stage.settle()
    #expect(answers.taken == [nil], "it does not execute yet")
    try worker.say(.executing(reference, nil))
    stage.settle()
    let part = TailRequest(byteCount: 7, output: 3)
    answers.ask(stage.engine, operation.number)
    answers.ask(stage.engine, operation.number, part)
    stage.settle()
    #expect(try worker.hear() == [.tail(reference, TailRequest()), .tail(reference, part)])
    try worker.say(.written(reference, written), .written(reference, WrittenOutputs()))
    // This one was not asked for.
    try worker.say(.written(reference, written))
    stage.settle()
    #expect(answers.taken == [written, WrittenOutputs()])
    try worker.say(.finished(reference, Answer()))
    stage.settle()
    #expect(stage.client.outcome(of: operation)?.ending == .succeeded)
  }

  @Test("a worker without the capability is not asked; an operation that ends answers nothing")
  func unanswered() throws {
    var stage = try LoopStage()
    let operations = [stage.submit(), stage.submit()]
    stage.settle()
    let worker = try stage.startGreetedWorker([.tail])
    let reference = try Self.execution(worker)
    try worker.say(.executing(reference, nil))
    stage.settle()
    let answers = Answers()
    answers.ask(stage.engine, operations[0].number)
    stage.settle()
    try worker.say(.finished(reference, Answer()))
    stage.settle()
    #expect(answers.taken.isEmpty)
    answers.ask(stage.engine, operations[0].number)
    stage.settle()
    #expect(answers.taken == [nil, nil], "both are about what has ended")
  }

  @Test("what came in frames is told without asking the worker")
  func collected() throws {
    var stage = try LoopStage()
    let operation = stage.submit()
    stage.settle()
    let worker = try stage.startGreetedWorker()
    let reference = try Self.execution(worker)
    try worker.say(
      .executing(reference, nil),
      .output(reference, OutputChunk(isError: false, bytes: [1, 2, 3]))
    )
    stage.settle()
    let answers = Answers()
    answers.ask(stage.engine, operation.number, TailRequest(byteCount: 2))
    stage.settle()
    #expect(answers.taken == [WrittenOutputs(output: WrittenPiece([2, 3], end: 3))])
    #expect(try worker.hear().isEmpty)
  }
}

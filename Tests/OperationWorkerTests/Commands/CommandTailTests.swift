import PoolModel
import PoolSystem
import PoolTestSupport
import PoolWire
import Testing

@testable import OperationWorker

/// What a command has written is told while it executes, and changes nothing.
@Suite("Outputs so far")
struct CommandTailTests {
  @Test("A question before the first command's output waits for what gathers it")
  func earlyQuestions() throws {
    var questions = TailQuestions()
    #expect(questions.ask { _ in } == nil)
    let gatherer = try OutputGatherer(widens: false)
    #expect(questions.begin(with: gatherer).count == 1)
    #expect(questions.begin(with: gatherer).isEmpty)
    #expect(questions.ask { _ in } === gatherer)
    #expect(questions.begin(with: gatherer).isEmpty)
  }

  @Test("Questions without end before the first command are not all kept")
  func earlyLimit() throws {
    var questions = TailQuestions()
    for _ in 0..<100 { _ = questions.ask { _ in } }
    #expect(questions.begin(with: try OutputGatherer(widens: false)).count == 16)
  }

  /// Asks until the answer satisfies the closure: the worker may not have read the pipe before.
  private func ask(
    _ worker: WorkerHarness,
    _ operation: Execute,
    _ request: TailRequest,
    until isEnough: (WrittenOutputs) -> Bool
  ) throws -> WrittenOutputs {
    while true {
      worker.send(.tail(operation.reference, request))
      guard case .written(operation.reference, let outputs) = try worker.next() else {
        throw HarnessError(text: "another message came")
      }
      if isEnough(outputs) { return outputs }
    }
  }

  /// The answer, which comes next.
  private func finish(_ worker: WorkerHarness, _ operation: Execute) throws -> Answer? {
    guard case .finished(operation.reference, let answer) = try worker.next() else { return nil }
    return answer
  }

  @Test("The last bytes, and those behind an offset, are told of both outputs")
  func pieces() throws {
    let place = try Rendezvous()
    let worker = try WorkerHarness()
    let operation = worker.shell("echo one; echo err >&2; echo two; : < \(place.path); echo three")
    worker.send(.execute(operation))
    _ = try worker.group(of: operation)
    let all = WrittenOutputs(
      output: WrittenPiece(Array("one\ntwo\n".utf8), end: 8),
      error: WrittenPiece(Array("err\n".utf8), end: 4)
    )
    #expect(
      try ask(worker, operation, TailRequest()) { $0.output.end == 8 && $0.error.end == 4 } == all
    )
    worker.send(.tail(operation.reference, TailRequest(byteCount: 3, output: 1)))
    let part = WrittenOutputs(
      output: WrittenPiece(Array("ne\n".utf8), end: 4),
      error: WrittenPiece(Array("rr\n".utf8), end: 4)
    )
    #expect(try worker.next() == .written(operation.reference, part))
    worker.send(.tail(operation.reference, TailRequest(output: 99, error: 4)))
    let none = WrittenOutputs(output: WrittenPiece(end: 8), error: WrittenPiece(end: 4))
    #expect(try worker.next() == .written(operation.reference, none))
    try place.release()
    #expect(try finish(worker, operation)?.outputText == "one\ntwo\nthree\n")
  }

  @Test("A large output is told from its file")
  func large() throws {
    let place = try Rendezvous()
    let worker = try WorkerHarness()
    let operation = worker.shell("head -c 3000000 /dev/zero; printf end; : < \(place.path)")
    worker.send(.execute(operation))
    _ = try worker.group(of: operation)
    let last = try ask(worker, operation, TailRequest()) { $0.output.end == 3_000_003 }
    #expect(last.output.bytes == [UInt8](repeating: 0, count: 65_533) + Array("end".utf8))
    let middle = TailRequest(byteCount: 10, output: 2_999_995)
    let piece = try ask(worker, operation, middle) { _ in true }
    #expect(piece.output == WrittenPiece([0, 0, 0, 0, 0] + Array("end".utf8), end: 3_000_003))
    try place.release()
    worker.send(.release(operation.reference))
    _ = try worker.next()
  }

  @Test("A worker ignores the question about what it does not execute, and about live outputs")
  func ignored() throws {
    let place = try Rendezvous()
    let worker = try WorkerHarness()
    let first = worker.shell("echo first")
    _ = try worker.answer(to: first)
    worker.send(.tail(first.reference, TailRequest()), .ping(1))
    #expect(try worker.next() == .pong(1))
    let live = worker.shell(": < \(place.path)", outputs: .live)
    worker.send(.execute(live))
    _ = try worker.group(of: live)
    for _ in 0..<100 { worker.send(.tail(live.reference, TailRequest())) }
    worker.send(.ping(2))
    #expect(try worker.next() == .pong(2))
    try place.release()
    _ = try finish(worker, live)
    // Nor is it answered by the next command, which gathers its outputs.
    #expect(try worker.answer(to: worker.shell("sleep 0.1; echo x")).outputText == "x\n")
  }
}

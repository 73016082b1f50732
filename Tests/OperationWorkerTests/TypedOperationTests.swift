import Foundation
import PoolModel
import PoolSystem
import PoolWire
import Testing

/// Operations that are Swift values, and those that are bytes.
@Suite("Operations of a user's own kinds")
struct TypedOperationTests {
  /// Input and output are the author's own types.
  @Test("A typed operation takes its properties and returns its output")
  func typed() throws {
    let worker = try WorkerHarness("test-worker")
    var sum = worker.operation("sum", #"{"numbers":[1,2,3]}"#)
    sum.attempt = 2
    let answer = try worker.answer(to: sum)
    let object = try JSONSerialization.jsonObject(with: Data(answer.result ?? []))
    #expect(object as? [String: Int] == ["sum": 6, "attempt": 2])
    let suspended = worker.operation("asyncSum", #"{"numbers":[4,5]}"#)
    #expect(try worker.answer(to: suspended).resultText == "9")
    let echo = worker.operation("echo", #" {"a" : [1, null]} "#)
    #expect(try worker.answer(to: echo).resultText == #"{"a" : [1, null]}"#)
  }

  /// What an operation throws, and what cannot be read, is a failure of that operation alone.
  @Test("Errors, wrong payloads and wrong results are failures with a message")
  func failures() throws {
    let worker = try WorkerHarness("test-worker")
    let thrown = try worker.answer(to: worker.operation("fail", #"{"message":"no luck"}"#))
    #expect(thrown.failure == Failure(cause: .error, message: "no luck", type: "Refusal"))
    let wrong = try worker.answer(to: worker.operation("sum", #"{"numbers":"one"}"#))
    #expect(wrong.failure?.message.hasPrefix("the payload is no 'sum': ") == true)
    let broken = try worker.answer(to: worker.operation("notJSON"))
    #expect(broken.failure?.message.hasPrefix("the result of 'notJSON' is not JSON: ") == true)
    #expect(try worker.answer(to: worker.operation("noop")).resultText == "null")
  }

  /// A result that no frame can hold is a failure, not a violation.
  @Test("A result over the frame limit is a failure")
  func oversized() throws {
    let worker = try WorkerHarness("test-worker", greets: false)
    worker.send(.welcome(Welcome(worker: WorkerID(rawValue: 1), frameLimit: 40_000)))
    let text = "\"\(String(repeating: "x", count: 39_000))\""
    let answer = try worker.answer(to: worker.operation("echo", text))
    #expect(answer.result == nil)
    #expect(answer.failure?.message == "the result's 39002 bytes are over the frame limit of 40000")
    let fitting = "\"\(String(repeating: "x", count: 30_000))\""
    #expect(try worker.answer(to: worker.operation("echo", fitting)).resultText == fitting)
  }

  @Test(
    "An operation whose payload is not JSON fails, and the worker lives on",
    arguments: ["", "}", "[1,", #"{"a":1}}"#, "\"\u{1}\"", "nul"]
  )
  func malformed(payload: String) throws {
    let worker = try WorkerHarness("test-worker")
    let pid = try worker.answer(to: worker.operation("pid")).resultText
    let answer = try worker.answer(to: worker.operation("echo", payload))
    #expect(answer.failure?.message.hasPrefix("the 'execute' is not a JSON object: ") == true)
    #expect(try worker.answer(to: worker.operation("pid")).resultText == pid)
  }

  @Test(
    "An operation with a field of another type fails, and the worker lives on",
    arguments: [
      (#""kind":7"#, "kind"), (#""kind":"pid","variables":{"OPOOL_ID":null}"#, "variables"),
      (#""kind":"pid","variables":{"A=B":"1"}"#, "variables"),
      (#""kind":"pid","variables":{"":"1"}"#, "variables"),
      (#""kind":"pid","variables":{"A\u0000":"1"}"#, "variables"),
      (#""kind":"pid","inputs":[1]"#, "inputs"),
    ]
  )
  func wrongFields(fields: String, field: String) throws {
    let worker = try WorkerHarness("test-worker")
    let pid = try worker.answer(to: worker.operation("pid")).resultText
    let operation = worker.operation("pid")
    worker.sendBody(
      """
      {"type":"execute","operation":\(operation.reference.operation.rawValue),\
      "dispatch":\(operation.reference.dispatch.rawValue),\(fields)}

      """
    )
    let answer = try worker.finish(of: operation)
    #expect(answer.failure?.message == "the 'execute' has a wrong or missing '\(field)'")
    #expect(try worker.answer(to: worker.operation("pid")).resultText == pid)
  }

  @Test("A body that says not even which operation it is about ends the worker")
  func nameless() throws {
    let worker = try WorkerHarness("test-worker")
    worker.sendBody(#"{"type":"execute","operation":7,"payload":}"#)
    while try worker.next() != nil {}
    #expect(try worker.end() != .exited(0))
  }

  @Test("A result that nests deeper than a message may is a failure, and the worker lives on")
  func deep() throws {
    let worker = try WorkerHarness("test-worker")
    let fitting = try worker.answer(to: worker.operation("deep", #"{"levels":512}"#))
    #expect(fitting.result?.count == 1_024)
    let deeper = try worker.answer(to: worker.operation("deep", #"{"levels":513}"#))
    let reason = "the result of 'deep' cannot be written as JSON: EncodingError.invalidValue"
    #expect(deeper.failure?.message.hasPrefix(reason) == true)
    #expect(try worker.answer(to: worker.operation("noop")).resultText == "null")
  }

  /// An operation that is asked to stop, and stops, is cancelled; its worker lives on.
  @Test(
    "An operation stops when it is asked to",
    arguments: ["untilCancelled", "sleepUntilCancelled"]
  )
  func cancelled(kind: String) throws {
    let worker = try WorkerHarness("test-worker")
    let pid = try worker.answer(to: worker.operation("pid")).resultText
    let operation = worker.operation(kind, "{}")
    worker.send(.execute(operation))
    #expect(try worker.next() == .executing(operation.reference, nil))
    worker.send(.cancel(operation.reference, .standard))
    #expect(
      try worker.next()?.untimed == .cancelled(operation.reference, Answer(), step: "message")
    )
    #expect(try worker.answer(to: worker.operation("pid")).resultText == pid)
  }

  /// Reports belong to the operation that makes them, between its start and its answer.
  @Test("Progress and log lines come between the start and the answer")
  func reports() throws {
    let worker = try WorkerHarness("test-worker")
    let operation = worker.operation("talkative")
    worker.send(.execute(operation))
    let reference = operation.reference
    #expect(try worker.next() == .executing(reference, nil))
    #expect(try worker.next() == .progress(reference, PoolProgress(completed: 1, total: 2)))
    #expect(try worker.next() == .log(reference, Log(message: "half of it")))
    let answer = Answer(result: Array("null".utf8))
    #expect(try worker.next()?.untimed == .finished(reference, answer))
  }

  /// A body that hangs cannot keep the process.
  @Test("The end of the input ends a worker whose operation is deaf to everything")
  func deaf() throws {
    let worker = try WorkerHarness("test-worker")
    let operation = worker.operation("stubborn")
    worker.send(.execute(operation))
    #expect(try worker.next() == .executing(operation.reference, nil))
    #expect(try worker.next() == .log(operation.reference, Log(message: "deaf")))
    worker.send(.cancel(operation.reference, .standard), .ping(1))
    #expect(try worker.next() == .pong(1))
    worker.closeInput()
    #expect(try worker.next() == nil)
    #expect(try worker.end() == .exited(0))
  }

  /// The coordinator always knows which operations had started and which had finished.
  @Test("A crash leaves the previous answer and the crashing operation's start behind")
  func crash() throws {
    let worker = try WorkerHarness("test-worker")
    let first = worker.operation("count")
    let second = worker.operation("crash")
    worker.send(.execute(first), .execute(second), .execute(worker.operation("noop")))
    #expect(try worker.finish(of: first).resultText == "1")
    #expect(try worker.next() == .executing(second.reference, nil))
    #expect(try worker.next() == nil)
    #expect(try worker.end() == .signaled(6))
  }

  /// Thousands at once come back in order, each answered once.
  @Test("Operations that are prefetched in thousands are answered in order")
  func many() throws {
    let worker = try WorkerHarness("test-worker")
    let operations = (0..<3_000).map { _ in worker.operation("count") }
    for start in stride(from: 0, to: operations.count, by: 100) {
      for operation in operations[start..<(start + 100)] { worker.send(.execute(operation)) }
      for (index, operation) in operations[start..<(start + 100)].enumerated() {
        #expect(try worker.finish(of: operation).resultText == "\(start + index + 1)")
      }
    }
    worker.closeInput()
    #expect(try worker.next() == nil)
  }

  /// Without the coordinator's mark, the same program is an ordinary one.
  @Test("A program that no coordinator started is no worker")
  func notSpawned() throws {
    let output = try Programs.run("test-worker", [], environment: ["OPOOL_WORKER": "0"])
    #expect(output.text == "not a worker\n")
    #expect(output.status == .exited(0))
  }
}

import Foundation
import OperationPool
import OperationWorker
import PoolModel
import PoolTestSupport
import Testing

/// Contract: what an operation makes can be what another one works on.
@Suite("Inputs from outputs", .timeLimit(.minutes(30)))
struct InputTests {
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test("a typed operation is made from what typed ones return")
  func typed() async throws {
    let queue = try Pools.queue()
    let first = PoolTypedOperation(AsyncSum(numbers: [1, 2]))
    let second = PoolTypedOperation(Sum(numbers: [3, 4]))
    let total = PoolTypedOperation(from: first, second) { AsyncSum(numbers: [$0, $1.sum]) }
    let single = PoolTypedOperation(from: total) { Sum(numbers: [$0, 1]) }
    #expect(single.dependencies.count == 1 && total.dependencies.count == 2)
    try queue.addOperations([single, total, first, second])
    #expect(try await total.value == 10)
    #expect(try await single.value.sum == 11)
  }

  @Test("one whose input cannot be made fails; one whose source fails is skipped")
  func refused() async throws {
    let queue = try Pools.queue()
    let source = PoolTypedOperation(AsyncSum(numbers: [1]))
    let thrower = PoolTypedOperation(from: source) { (_: Int) throws -> AsyncSum in
      throw Refusal(description: "too little")
    }
    let victim = PoolTypedOperation(from: thrower) { AsyncSum(numbers: [$0]) }
    try queue.addOperations([source, thrower, victim])
    let failure = try await thrower.finished().failure
    #expect(failure?.cause == .input && failure?.description.contains("too little") == true)
    #expect(try await victim.finished().ending == .skipped)
  }

  @Test("results reach operations by name, as the JSON that they are")
  func results() async throws {
    let queue = try Pools.queue()
    let (one, two) = (operation("echo", "1"), PoolTypedOperation(AsyncSum(numbers: [20, 300])))
    let sum = operation("sumOfInputs", "{}")
    try sum.addInput("one", from: one)
    try sum.addInput("two", from: two)
    let bytes = operation("bytesOfInput", #"{"name":"sum"}"#)
    try bytes.addInput("sum", from: sum)
    try queue.addOperations([bytes, sum, two, one])
    #expect(try await sum.finished().text == "321")
    #expect(try await bytes.finished().text == "[51,50,49]")
  }

  @Test("all that a command writes reaches others, as a file that is gone afterwards")
  func outputs() async throws {
    let queue = try Pools.commands(2)
    for size in [0, 5, 70_000, 3_000_000] {
      let source = PoolCommandOperation(shell: "head -c \(size) /dev/zero")
      let readers = (0..<3).map { _ in
        PoolCommandOperation(shell: #"wc -c < "$OPOOL_INPUT_data_1"; echo "$OPOOL_INPUT_data_1""#)
      }
      for reader in readers { try reader.addInput("data-1", from: source) }
      try queue.addOperations(readers + [source])
      for reader in readers {
        let lines = text(try await reader.finished().standardOutput).split(separator: "\n")
        #expect(lines.first.flatMap { Int($0) } == size)
        let path = String(lines.last ?? "")
        #expect(path.hasPrefix("/"))
        // A file that is shared is removed with the last reference to it.
        if size <= 64 << 10 { #expect(!FileManager.default.fileExists(atPath: path)) }
      }
    }
  }

  @Test("a command gets a result as JSON, and a typed operation the output of a command")
  func mixed() async throws {
    let fleet = try PoolFleet(
      .executable(Repository.program("test-worker"), count: 1),
      .standard(count: 1)
    )
    let queue = PoolOperationQueue(fleet: fleet)
    let number = operation("echo", #""a text""#)
    let command = PoolCommandOperation(shell: #"cat "$OPOOL_INPUT_text""#)
    try command.addInput("text", from: number)
    let bytes = operation("bytesOfInput", #"{"name":"out"}"#)
    try bytes.addInput("out", from: command)
    try queue.addOperations([number, command, bytes])
    #expect(text(try await command.finished().standardOutput) == #""a text""#)
    #expect(try await bytes.finished().text == "[34,97,32,116,101,120,116,34]")
  }

  @Test("a worker that is not local is given inputs in the frame, and too large ones never")
  func remote() async throws {
    let worker = Repository.shellWord("opool-worker")
    let fleet = try PoolFleet(.standard(count: 1))
    let (near, far) = (
      PoolOperationQueue(fleet: fleet),
      try PoolOperationQueue(workers: .command(worker, count: 1))
    )
    for (size, fits) in [(70_000, true), (68_000_000, false)] {
      let source = PoolCommandOperation(shell: "head -c \(size) /dev/zero")
      let reader = PoolCommandOperation(shell: #"wc -c < "$OPOOL_INPUT_data""#)
      try reader.addInput("data", from: source)
      try near.addOperation(source)
      try far.addOperation(reader)
      let outcome = try await reader.finished()
      #expect(outcome.ending == (fits ? .succeeded : .failed))
      #expect(outcome.failure?.cause == (fits ? nil : .input))
      #expect(outcome.attempts == (fits ? 1 : 0))
      if fits { #expect(text(outcome.standardOutput) == "\(size)\n") }
    }
    let next = PoolCommandOperation(shell: "true")
    try far.addOperation(next)
    #expect(try await next.finished().ending == .succeeded)
  }

  @Test("one whose source does not succeed is skipped, and a retried one is given the same again")
  func ends() async throws {
    let queue = try Pools.queue()
    let failing = operation("fail", #"{"message":"no"}"#)
    let victim = operation("noop")
    try victim.addDependency(failing)
    try victim.addInput("x", from: failing)
    #expect(victim.dependencies.count == 1)
    let good = operation("echo", "7")
    let again = operation("crash", retries: 1)
    try again.addInput("x", from: good)
    try queue.addOperations([failing, victim, good, again])
    #expect(try await victim.finished().ending == .skipped)
    #expect(try await again.finished().attempts == 2)
  }

  @Test("a source that has finished will do, where all that it made was kept")
  func late() async throws {
    let queue = try Pools.commands()
    let small = PoolCommandOperation(shell: "echo 1")
    let large = PoolCommandOperation(
      shell: "echo 12",
      standardOutput: .bytes(limit: 2, excess: .truncate)
    )
    try queue.addOperations([small, large])
    try await small.finished()
    try await large.finished()
    let reader = PoolCommandOperation(shell: #"cat "$OPOOL_INPUT_one""#)
    try reader.addInput("one", from: small)
    let error = #expect(throws: PoolError.self) { try reader.addInput("two", from: large) }
    #expect(error?.code == .invalidInput)
    try queue.addOperation(reader)
    #expect(text(try await reader.finished().standardOutput) == "1\n")
    #expect(throws: PoolError.self) { try reader.addInput("three", from: small) }
  }

  @Test("names that are taken, and operations that make nothing, are refused")
  func names() throws {
    let source = operation("echo", "1")
    let command = PoolCommandOperation(shell: "true")
    try command.addInput("a-b", from: source)
    #expect(throws: PoolError.self) { try command.addInput("a-b", from: source) }
    #expect(throws: PoolError.self) { try command.addInput("a_b", from: source) }
    #expect(throws: PoolError.self) { try command.addInput("block", from: PoolBlockOperation {}) }
    #expect(throws: PoolError.self) { try command.addInput("self", from: command) }
    let other = operation("sumOfInputs")
    try other.addInput("a-b", from: source)
    try other.addInput("a_b", from: source)
  }

  @Test("a worker knows the name of its operation, and that of the queue")
  func sight() async throws {
    let queue = try Pools.queue()
    queue.name = "kindQueue"
    let named = operation("look", "{}", name: "thumbnail")
    try queue.addOperation(named)
    let text = try await named.finished().text ?? ""
    #expect(text.contains(#""name":"thumbnail""#) && text.contains(#""queue":"kindQueue""#))
  }
}

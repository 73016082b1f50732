import Foundation
import PoolModel
import PoolSystem
import PoolWire
import Testing

/// What a worker says and hears besides answers.
@Suite("The worker's conversation")
struct ConversationTests {
  /// The first bytes are the magic line; what the worker can do follows.
  @Test("A worker introduces itself before it is spoken to")
  func hello() throws {
    let worker = try WorkerHarness(greets: false)
    guard case .hello(let hello) = try worker.nextOfAny() else {
      throw HarnessError(text: "no 'hello' came")
    }
    #expect(hello.kinds == ["command"])
    #expect(Descendant(hello.pid, below: worker.process.identifier) != nil)
    #expect(hello.versions == [1])
    #expect(hello.slots == 1)
    #expect(hello.capabilities == Set(Capability.allCases))
    worker.closeInput()
    #expect(try worker.nextOfAny() == nil)
    #expect(try worker.end() == .exited(0))
    #expect(worker.errorText.isEmpty)
  }

  /// Heartbeats are answered by the thread that reads, whatever the other one does.
  @Test("A ping is answered while a command executes")
  func ping() throws {
    let place = try Rendezvous()
    let worker = try WorkerHarness()
    let operation = worker.shell("read line <\(place.path)")
    worker.send(.execute(operation))
    _ = try worker.group(of: operation)
    worker.send(.ping(7), .ping(8))
    #expect(try worker.next() == .pong(7))
    #expect(try worker.next() == .pong(8))
    try place.release()
    guard case .finished(operation.reference, _) = try worker.next() else {
      throw HarnessError(text: "no 'finished' came")
    }
  }

  /// What has started cannot be taken back; what has not, never executes.
  @Test("Recall returns held operations and leaves the executing one alone")
  func recall() throws {
    let place = try Rendezvous()
    let worker = try WorkerHarness()
    let first = worker.shell("read line <\(place.path)")
    let second = worker.shell("echo second")
    let third = worker.shell("echo third")
    worker.send(.execute(first), .execute(second), .execute(third))
    _ = try worker.group(of: first)
    worker.send(.recall(first.reference), .recall(second.reference), .ping(1))
    #expect(try worker.next() == .returned(second.reference))
    #expect(try worker.next() == .pong(1))
    try place.release()
    guard case .finished(first.reference, _) = try worker.next() else {
      throw HarnessError(text: "no 'finished' came")
    }
    #expect(try worker.finish(of: third).outputText == "third\n")
    worker.closeInput()
    #expect(try worker.next() == nil)
  }

  /// A worker that is drained finishes what it holds and ends by itself.
  @Test("Drain ends the worker after what it holds")
  func drain() throws {
    let worker = try WorkerHarness()
    let first = worker.shell("echo first")
    let second = worker.shell("echo second")
    worker.send(.execute(first), .execute(second), .drain)
    #expect(try worker.finish(of: first).outputText == "first\n")
    #expect(try worker.finish(of: second).outputText == "second\n")
    #expect(try worker.next() == nil)
    #expect(try worker.end() == .exited(0))
  }

  /// Nothing outlives the coordinator: the command is killed, whatever it ignores.
  @Test("The end of the input ends the executing command and the worker")
  func endOfInput() throws {
    let place = try Rendezvous()
    let worker = try WorkerHarness()
    let line = "exec 9>\(place.path); trap '' TERM HUP; sleep 1000; sleep 1000"
    let operation = worker.shell(line)
    worker.send(.execute(operation), .execute(worker.shell("echo never")))
    _ = try worker.group(of: operation)
    let reader = try place.reader()
    worker.closeInput()
    #expect(try worker.next() == nil)
    #expect(try worker.end() == .exited(0))
    #expect(try reader.readToEnd() ?? Data() == Data())
  }

  /// A second safeguard: a coordinator dies while another process keeps the input open.
  @Test("SIGTERM ends the executing command and then the worker")
  func terminated() throws {
    let place = try Rendezvous()
    let worker = try WorkerHarness()
    let operation = worker.shell("exec 9>\(place.path); trap '' TERM; sleep 1000; sleep 1000")
    worker.send(.execute(operation))
    _ = try worker.group(of: operation)
    let reader = try place.reader()
    ProcessSignal.terminate.send(toProcess: worker.process.identifier)
    #expect(try worker.end() == .signaled(15))
    #expect(try reader.readToEnd() ?? Data() == Data())
  }

  /// The main thread writes chunks to a full pipe; the I/O thread must not wait for that.
  @Test("The end of the input ends a worker whose output nothing reads")
  func fullOutput() throws {
    let worker = try WorkerHarness(acceptsFiles: false)
    worker.send(.execute(worker.shell("head -c 1000000 /dev/zero")))
    while !worker.isOutputFull { SystemThread.yieldProcessor() }
    worker.closeInput()
    #expect(try worker.end() == .exited(0))
  }

  /// Nonsense from the coordinator ends the worker, with one line that says what it was.
  @Test(
    "A coordinator that breaks the protocol is told, and the worker ends",
    arguments: [
      ([0, 0, 0, 2, 0x7B, 0x0A], "sent a frame that is not a JSON object"),
      ([0x7F, 0xFF, 0xFF, 0xFF], "announced a frame of 2147483647 bytes"),
      ([0xFF, 0xFF, 0xFF, 0xFF], "sent an attachment of 2147483647 bytes before a frame"),
      ([0, 0, 0, 3, 0x7B, 0x7D, 0x0A], "sent a 'message' with a wrong or missing 'type'"),
      ([0, 0, 0, 9], "ended in the middle of a frame"),
    ] as [([UInt8], String)]
  )
  func violation(bytes: [UInt8], complaint: String) throws {
    let worker = try WorkerHarness()
    worker.sendRaw(bytes)
    if complaint.hasPrefix("ended") { worker.closeInput() }
    #expect(try worker.next() == nil)
    #expect(try worker.end() == .exited(70))
    #expect(worker.errorText.hasPrefix("opool-worker: the coordinator \(complaint)"))
    #expect(worker.errorText.split(separator: "\n").count == 1)
  }

  /// A violation does not leave a command behind either.
  @Test("A violation while a command executes ends both")
  func violationWhileExecuting() throws {
    let place = try Rendezvous()
    let worker = try WorkerHarness()
    let operation = worker.shell("exec 9>\(place.path); sleep 1000; sleep 1000")
    worker.send(.execute(operation))
    _ = try worker.group(of: operation)
    let reader = try place.reader()
    worker.sendRaw([0, 0, 0, 2, 0x7D, 0x0A])
    guard case .cancelled(operation.reference, _, "SIGKILL") = try worker.next() else {
      throw HarnessError(text: "no 'cancelled' came")
    }
    #expect(try worker.next() == nil)
    #expect(try worker.end() == .exited(70))
    #expect(try reader.readToEnd() ?? Data() == Data())
  }

  /// A newer coordinator may say more; an older worker goes on.
  @Test("Unknown messages are passed over, unknown kinds are answered")
  func unknown() throws {
    let worker = try WorkerHarness()
    worker.send(.unknown("sing"), .ping(1))
    #expect(try worker.next() == .pong(1))
    let answer = try worker.answer(to: worker.operation("song"))
    let message = "this worker does not serve 'song'"
    #expect(answer.failure == Failure(cause: .error, message: message))
    let broken = try worker.answer(to: worker.operation("command", "{\"run\":[]}"))
    #expect(broken.failure?.cause == .error)
    #expect(broken.failure?.message.hasPrefix("the payload is no command: ") == true)
  }
}

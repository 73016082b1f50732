import Foundation
import OperationPool
import OperationWorker
import PoolModel
import PoolSystem
import PoolTestSupport
import Synchronization
import Testing

/// Contract: what an operation prints in its worker is seen, by line and under its own name,
/// whatever follows it.
@Suite("Printing")
struct PrintingTests {
  @Test("An unfinished line at the end of an operation is a line of that operation")
  func unfinishedLine() async throws {
    let page = Page()
    let queue = try page.queue()
    let operations = (0..<4).map { Say([.print("a\nb\($0)")]).operation("say \($0)") }
    try queue.addOperations(operations)
    for operation in operations { _ = try await operation.value }
    await page.reaches(8)
    for number in 0..<4 {
      #expect(page.lines(of: "say \(number)") == ["a", "b\(number)"])
      #expect(try await operations[number].finished().printedText == "a\nb\(number)")
    }
  }

  @Test("Each of many short operations has what it printed, by print and by system calls")
  func manyShortOperations() async throws {
    let page = Page()
    let queue = try page.queue()
    let operations = (0..<600).map { number in
      let deeds: [PrintDeed] =
        switch number % 3 {
        case 0: [.print("print \(number)")]
        case 1: [.write("write \(number)")]
        default: []
        }
      return Say(deeds).operation("say \(number)")
    }
    try queue.addOperations(operations)
    for (number, operation) in operations.enumerated() {
      let expected = ["print \(number)", "write \(number)", ""][number % 3]
      #expect(try await operation.finished().printedText == expected, "say \(number)")
    }
    await page.reaches(400)
    #expect(page.lines(of: "say 300") == ["print 300"])
    #expect(page.lines(of: "say 301") == ["write 301"])
    #expect(page.lines(of: nil).isEmpty)
  }

  @Test("A line of an operation that executes is seen while it does")
  func lineOfExecutingOperation() async throws {
    let page = Page()
    let queue = try page.queue()
    let before = Say([.print("before")]).operation("before")
    let operation = Say([.print("under way\n"), .wait]).operation("long")
    try queue.addOperations([before, operation])
    await page.reaches(2)
    #expect(page.lines(of: "before") == ["before"])
    #expect(page.lines(of: "long") == ["under way"])
    operation.cancel()
    #expect(try await operation.finished().printedText == "under way\n")
  }

  @Test("What was printed before a crash is there, and the crash keeps its sentence")
  func crash() async throws {
    let page = Page()
    let queue = try page.queue()
    let operation = Say([.print("first\n"), .fatal("the reason")]).operation("crash")
    try queue.addOperation(operation)
    let outcome = try await operation.finished()
    #expect(outcome.failure?.description.contains("the reason") == true)
    #expect(outcome.printedText.hasPrefix("first\n"))
    #expect(!outcome.printedText.contains("\u{1E}"))
    await page.reaches(1)
    #expect(page.lines(of: "crash").first == "first")
  }

  @Test("What was printed before SIGKILL is there")
  func kill() async throws {
    let page = Page()
    let queue = try page.queue()
    let operation = Say([.print("one\n"), .write("two"), .kill]).operation("killed")
    try queue.addOperation(operation)
    #expect(try await operation.finished().printedText == "one\ntwo")
    await page.reaches(2)
    #expect(page.lines(of: "killed") == ["one", "two"])
  }

  @Test("A hundred thousand lines come in order, the outcome has the first 64 KiB")
  func manyLines() async throws {
    let page = Page()
    let queue = try page.queue()
    let operation = Say([.lines(100_000)]).operation("many")
    try queue.addOperation(operation)
    let outcome = try await operation.finished()
    #expect(outcome.printed.count == 64 << 10)
    // "line " and five digits or fewer, and a line feed.
    #expect(outcome.printedExtent.byteCount == 1_088_890)
    #expect(outcome.printedExtent.isTruncated)
    await page.reaches(100_000)
    let isOrdered = page.lines(of: "many").enumerated().allSatisfy { $1 == "line \($0)" }
    #expect(isOrdered)
    #expect(page.lines(of: nil).isEmpty)
  }

  @Test("Of a line of a megabyte the beginning is seen, and how much is left out")
  func longLine() async throws {
    let page = Page()
    let queue = try page.queue()
    let operation = Say([.longLine(1 << 20), .print("after")]).operation("long")
    try queue.addOperation(operation)
    _ = try await operation.finished()
    await page.reaches(2)
    let line = try #require(page.lines.first)
    #expect(line.text == String(repeating: "x", count: 16 << 10))
    #expect(line.omittedByteCount == (1 << 20) - (16 << 10))
    #expect(line.description.hasSuffix("x … (1032192 more bytes)"))
    #expect(page.lines.last?.text == "after")
  }

  @Test("What is no text is repaired, and what moves a cursor is escaped")
  func hostileBytes() async throws {
    let page = Page()
    let queue = try page.queue()
    let bytes: [UInt8] = [0x61, 0xFF, 0x1B, 0x5B, 0x32, 0x4A, 0x09, 0x62, 0x0D, 0x0A]
    let operation = Say([.bytes(bytes)]).operation("bell\u{7}")
    try queue.addOperation(operation)
    #expect(try await operation.finished().printed == bytes)
    await page.reaches(1)
    #expect(page.lines.first?.text == "a\u{FFFD}\u{1B}[2J\tb")
    #expect(page.lines.first?.description == "bell\\x07: a\u{FFFD}\\x1B[2J\tb")
  }

  @Test("A mark that an operation makes up is text")
  func forgedMark() async throws {
    let page = Page()
    let queue = try page.queue()
    let forged = "\u{1E}opool 0123456789abcdef 0000000000000001 0000000000000001\n"
    let operations = [
      Say([.write("\(forged)rest")]).operation("forger"), Say([.print("mine")]).operation("other"),
    ]
    try queue.addOperations(operations)
    #expect(try await operations[0].finished().printedText == "\(forged)rest")
    #expect(try await operations[1].finished().printedText == "mine")
  }

  @Test("What a child prints that an operation has left behind is not lost")
  func leftChild() async throws {
    let page = Page()
    let queue = try page.queue()
    let folder = try TestFolder()
    let pipe = folder.path + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    let operation = Say([.leave(pipe)]).operation("parent")
    try queue.addOperation(operation)
    _ = try await operation.value
    try await Blocking.run { try Data("late\n".utf8).write(to: URL(filePath: pipe), options: []) }
    await page.reaches(1)
    #expect(page.lines.map(\.text) == ["late"])
    #expect(page.lines.map(\.description) == ["worker \(page.lines[0].worker): late"])
  }

  @Test("What suspended operations print is theirs")
  func asyncOperations() async throws {
    let page = Page()
    let queue = try page.queue()
    let operations = (0..<50).map { number in
      PoolTypedOperation(
        AsyncSay(words: ["\(number) ", "and \(number)"]),
        options: PoolOperationOptions(name: "async \(number)")
      )
    }
    try queue.addOperations(operations)
    for (number, operation) in operations.enumerated() {
      #expect(try await operation.finished().printedText == "\(number) and \(number)")
    }
    await page.reaches(50)
    #expect(page.lines(of: "async 7") == ["7 and 7"])
  }

  @Test("A retry begins anew: the outcome has what the last attempt printed")
  func retry() async throws {
    let page = Page()
    let queue = try page.queue()
    let operation = PoolTypedOperation(
      Say([.print("again\n"), .kill]),
      options: PoolOperationOptions(name: "retried", retryPolicy: .retries(1))
    )
    try queue.addOperation(operation)
    #expect(try await operation.finished().printedText == "again\n")
    await page.reaches(2)
    #expect(page.lines(of: "retried") == ["again", "again"])
  }

  @Test("An operation whose output is dropped after its end is told in a line of its worker, once")
  func dropped() async throws {
    let folder = try TestFolder()
    let page = Page()
    let workers = try PoolWorkerConfiguration.standard(count: 1).waitingForOutput(milliseconds: 0)
    let queue = try page.queue(over: workers)
    let go = folder.path(of: "go")
    let line = "mkfifo \(go); (cat \(go); seq 100000; seq 100000 >&2) & echo own"
    let outcome = try await queue.run(PoolCommandOperation(shell: line))
    #expect(outcome.standardOutput == Array("own\n".utf8))
    let next = PoolCommandOperation(shell: ": >\(go)")
    #expect(try await queue.run(next).ending == .succeeded)
    await page.reaches(1)
    #expect(page.lines.count == 1)
    let told = try #require(page.lines.first)
    #expect(told.operation == nil)
    #expect(
      told.text.hasPrefix("operation ") && told.text.contains("more output, which is dropped")
    )
  }

  @Test("A closure that is slow makes the worker wait, and loses nothing")
  func slowClosure() async throws {
    let gate = DispatchSemaphore(value: 0)
    let count = Mutex(0)
    let (lines, writer) = AsyncStream.makeStream(of: Void.self)
    let workers = Page.workers.printing(
      to: .closure { _ in
        if count.withLock({
          $0 += 1
          return $0
        }) == 1 {
          gate.wait()
        }
        writer.yield()
      }
    )
    let queue = try PoolOperationQueue(workers: workers)
    let operation = Say([.lines(100_000)]).operation("many")
    try queue.addOperation(operation)
    // A block is executed all the same, and the operation cannot end: 700 KiB have no place.
    try await queue.addOperation {}.finished()
    #expect(!operation.isFinished)
    gate.signal()
    _ = try await operation.value
    var iterator = lines.makeAsyncIterator()
    for _ in 0..<100_000 { await iterator.next() }
    #expect(count.withLock { $0 } == 100_000)
  }

  @Test("Without a choice, lines are on the standard error before their operation has finished")
  func standardError() async throws {
    let lines = try await Scenes.play("printing")
    // What a program prints to a file leaves at its end.
    #expect(
      lines == ["seen: hello", "seen: \\x1B[2Jhalf a line", "succeeded", "succeeded"]
    )
  }

  @Test(
    "A worker in another language, without marks, has its lines told apart all the same",
    .needsPython
  )
  func foreignWorker() async throws {
    let folder = try TestFolder()
    try folder.write(Self.foreignProgram, to: "worker.py")
    let page = Page()
    let queue = try page.queue(over: .command("python3 \(folder.path(of: "worker.py"))", count: 1))
    let operations = ["one", "two", "three"].map { (name: String) in
      PoolInvocationOperation(
        kind: "say",
        payload: Array("\"\(name)\"".utf8),
        options: .init(name: name)
      )
    }
    try queue.addOperations(operations)
    for operation in operations {
      #expect(try await operation.finished().printedText == operation.name)
    }
    await page.reaches(3)
    #expect(page.lines(of: "two") == ["two"])
  }

  /// Writes each payload to the standard error, without a line feed.
  private static let foreignProgram = """
    import json, struct, sys
    def send(message):
        body = json.dumps(message).encode() + b"\\n"
        sys.stdout.buffer.write(struct.pack(">I", len(body)) + body)
        sys.stdout.buffer.flush()
    sys.stdout.buffer.write(b"OPOOL-WORKER 1\\n")
    send({"type": "hello", "versions": [1], "kinds": ["say"]})
    while head := sys.stdin.buffer.read(4):
        message = json.loads(sys.stdin.buffer.read(struct.unpack(">I", head)[0]))
        if message["type"] != "execute":
            continue
        about = {"operation": message["operation"], "dispatch": message["dispatch"]}
        send({"type": "executing", **about})
        sys.stderr.write(message["payload"])
        sys.stderr.flush()
        send({"type": "finished", "result": None, **about})
    """

  @Test("Discarded lines are in the outcome all the same")
  func discarded() async throws {
    let queue = try PoolOperationQueue(workers: Page.workers.printing(to: .discarded))
    let operation = Say([.print("unseen")]).operation("quiet")
    try queue.addOperation(operation)
    #expect(try await operation.finished().printedText == "unseen")
  }
}

/// The lines that the workers of a queue have printed.
private final class Page: Sendable {
  private let state = Mutex<[PoolWorkerLine]>([])
  private let changes = AsyncStream.makeStream(of: Void.self)

  static var workers: PoolWorkerConfiguration {
    .executable(Repository.program("test-worker"), count: 1)
  }

  /// A queue over one worker, whose lines come here.
  func queue(
    over workers: PoolWorkerConfiguration = Page.workers
  ) throws -> PoolOperationQueue {
    let workers = workers.printing(
      to: .closure { line in
        self.state.withLock { $0.append(line) }
        self.changes.continuation.yield()
      }
    )
    return try PoolOperationQueue(workers: workers)
  }

  var lines: [PoolWorkerLine] { state.withLock { $0 } }

  /// The lines of the operation of that name, or of none.
  func lines(of name: String?) -> [String] {
    lines.filter { $0.operation?.name == name }.map(\.text)
  }

  /// Waits until there are so many lines.
  func reaches(_ count: Int) async {
    var iterator = changes.stream.makeAsyncIterator()
    while lines.count < count { await iterator.next() }
  }
}

/// An operation of the tests' worker that prints.
private struct Say: WorkerOperation {
  static let kind = "say"

  var deeds: [PrintDeed]

  init(_ deeds: [PrintDeed]) { self.deeds = deeds }

  func main(_ context: WorkerContext) -> Int32 { preconditionFailure("the worker has its own") }

  func operation(_ name: String) -> PoolTypedOperation<Int32> {
    PoolTypedOperation(self, options: PoolOperationOptions(name: name))
  }
}

private struct AsyncSay: AsyncWorkerOperation {
  static let kind = "asyncSay"
  var words: [String]

  func main(_ context: WorkerContext) async -> NoOutput { NoOutput() }
}

extension PoolOutcome {
  /// What was printed, as text.
  fileprivate var printedText: String { String(decoding: printed, as: UTF8.self) }
}

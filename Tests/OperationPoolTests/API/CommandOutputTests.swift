import Foundation
import OperationPool
import PoolModel
import PoolTestSupport
import Testing

/// What a command writes is in its outcome whole, or the outcome says that it is not.
@Suite("Outputs of commands", .timeLimit(.minutes(30)))
struct CommandOutputTests {
  /// The bytes that `seq 100000` writes.
  private static let count = 588_895

  private func outcome(
    _ line: String,
    _ output: PoolCommandOutput = .bytes(),
    error: PoolCommandOutput = .bytes(),
    retries: Int = 0
  ) async throws -> PoolOutcome {
    let queue = try Pools.commands()
    let command = PoolCommandOperation(
      shell: line,
      standardOutput: output,
      standardError: error,
      options: PoolOperationOptions(retryPolicy: .retries(retries))
    )
    try queue.addOperation(command)
    return try await command.finished()
  }

  @Test("An output of more than 64 KiB is whole")
  func whole() async throws {
    let outcome = try await outcome("seq 100000; seq 100000 >&2")
    #expect(outcome.ending == .succeeded)
    #expect(outcome.standardOutput.count == Self.count)
    #expect(outcome.standardOutput.suffix(8) == Array("\n100000\n".utf8)[...])
    #expect(outcome.standardError == outcome.standardOutput)
    #expect(outcome.standardOutputExtent.byteCount == Int64(Self.count))
    #expect(!outcome.standardOutputExtent.isTruncated && !outcome.standardErrorExtent.isTruncated)
  }

  @Test("Beyond its limit the operation fails, and says so", arguments: [1_000, 100_000])
  func fails(limit: Int) async throws {
    let outcome = try await outcome("seq 100000", .bytes(limit: limit))
    #expect(outcome.ending == .failed)
    let failure = try #require(outcome.failure)
    #expect(failure.cause == .outputLimit)
    let sentence = "its output has more than \(limit) bytes, which is its limit"
    #expect(failure.sentence.hasPrefix(sentence))
    #expect(outcome.standardOutput.count == limit)
    #expect((limit + 1...Self.count).contains(Int(outcome.standardOutputExtent.byteCount)))
    #expect(outcome.standardOutputExtent.isTruncated)
  }

  @Test("By default the limit is 16 MiB")
  func defaultLimit() async throws {
    let exact = try await outcome("head -c \(16 << 20) /dev/zero")
    #expect(exact.ending == .succeeded && exact.standardOutput.count == 16 << 20)
    let beyond = try await outcome("head -c \((16 << 20) + 1) /dev/zero")
    #expect(beyond.failure?.cause == .outputLimit)
  }

  @Test("An output that an answer carries has a limit, too")
  func small() async throws {
    #expect(try await outcome("printf 12345", .bytes(limit: 5)).ending == .succeeded)
    let beyond = try await outcome("printf 12345", .bytes(limit: 4))
    #expect(beyond.failure?.cause == .outputLimit)
    #expect(beyond.standardOutput == Array("1234".utf8))
    #expect(try await outcome("true", .bytes(limit: -1)).ending == .succeeded)
    #expect(try await outcome("echo", .bytes(limit: -1)).failure?.cause == .outputLimit)
  }

  @Test("Standard error has a limit of its own")
  func standardError() async throws {
    let limit = PoolCommandOutput.bytes(limit: 3)
    let outcome = try await outcome("printf 12345 >&2; printf 12345", error: limit)
    let sentence = "its error output has more than 3 bytes, which is its limit"
    #expect(outcome.failure?.sentence.hasPrefix(sentence) == true)
    #expect(outcome.standardOutput == Array("12345".utf8))
    #expect(outcome.standardError == Array("123".utf8))
  }

  @Test("By choice an output is truncated, and the outcome says so")
  func truncated() async throws {
    let outcome = try await outcome("seq 100000", .bytes(limit: 1_000, excess: .truncate))
    #expect(outcome.ending == .succeeded)
    #expect(outcome.standardOutput.count == 1_000)
    #expect(outcome.standardOutputExtent.byteCount == Int64(Self.count))
    #expect(outcome.standardOutputExtent.isTruncated)
  }

  @Test("The limit is the cause, and how the command ended is in the sentence")
  func bothReasons() async throws {
    let failure = try #require(try await outcome("echo; exit 3", .bytes(limit: 0)).failure)
    #expect(failure.cause == .outputLimit && failure.code == nil)
    #expect(
      failure.sentence == "its output has more than 0 bytes, which is its limit; exit code 3"
    )
  }

  @Test("A command that never ends fails when its output is over the limit, named or not")
  func runaway() async throws {
    let outcome = try await outcome("yes", .bytes(limit: 100_000))
    #expect(outcome.ending == .failed && outcome.failure?.cause == .outputLimit)
    #expect(outcome.standardOutput.count == 100_000)
    #expect(outcome.standardOutputExtent.isTruncated)
    let queue = try Pools.commands()
    let named = PoolCommandOperation(
      shell: "yes >&2",
      standardError: .bytes(limit: 3),
      options: PoolOperationOptions(name: "named")
    )
    try queue.addOperation(named)
    #expect(try await named.finished().failure?.cause == .outputLimit)
    #expect(named.outcome?.standardError == Array("y\ny".utf8))
  }

  @Test("A truncated output is stored nowhere beyond its limit")
  func dropped() async throws {
    // A large output would be in a file without a name.
    let line = """
      files() { ls -l /proc/$PPID/fd | grep -c deleted; }
      before=$(files); head -c 3000000 /dev/zero; echo $before $(files) >&2
      """
    let outcome = try await outcome(line, .bytes(limit: 1_000, excess: .truncate))
    #expect(outcome.standardOutputExtent.byteCount == 3_000_000)
    let counts = String(decoding: outcome.standardError, as: UTF8.self).split { $0.isWhitespace }
    #expect(counts.count == 2 && counts[0] == counts[1])
  }

  @Test("An input that is added while its maker executes fails if the output was not kept")
  func lateInput() async throws {
    let folder = try TestFolder()
    for pipe in ["begun", "go"] { try folder.makePipe(pipe) }
    let queue = try Pools.commands()
    let maker = PoolCommandOperation(
      shell: "seq 100000; echo >begun; cat go",
      directory: folder.path,
      standardOutput: .bytes(limit: 1_000, excess: .truncate)
    )
    let taker = PoolCommandOperation(shell: "true")
    try queue.addOperation(maker)
    _ = try FileHandle(forReadingFrom: URL(filePath: folder.path(of: "begun"))).readToEnd()
    try taker.addInput("all", from: maker)
    try queue.addOperation(taker)
    try folder.write("", to: "go")
    let outcome = try await taker.finished()
    #expect(outcome.failure?.sentence.contains("not all of it was kept") == true)
    #expect(maker.outcome?.ending == .succeeded)
    #expect(maker.outcome?.standardOutput.count == 1_000)
  }

  @Test("A worker that knows no limits is judged when it has answered", .needsPython)
  func oldWorker() async throws {
    let script = #"""
      import json, os, struct, sys
      source, sink = sys.stdin.buffer, sys.stdout.buffer
      def send(**message):
          body = json.dumps(message).encode() + b"\n"
          sink.write(struct.pack(">I", len(body)) + body)
          sink.flush()
      sink.write(b"OPOOL-WORKER 1\n")
      send(type="hello", versions=[1], pid=os.getpid(), kinds=["command"])
      while header := source.read(4):
          message = json.loads(source.read(struct.unpack(">I", header)[0]))
          if message["type"] != "execute": continue
          names = {key: message[key] for key in ("operation", "dispatch")}
          send(type="executing", **names)
          send(type="finished", **names, stdout=json.dumps(message.get("limits")))
      """#.replacing("'", with: "'\\''")
    let queue = try PoolOperationQueue(workers: .command("python3 -c '\(script)'", count: 1))
    for excess in [PoolCommandOutput.Excess.fail, .truncate] {
      let output = PoolCommandOutput.bytes(limit: 9, excess: excess)
      let command = PoolCommandOperation(shell: "true", standardOutput: output)
      try queue.addOperation(command)
      let outcome = try await command.finished()
      #expect(outcome.failure?.cause == (excess == .fail ? .outputLimit : nil))
      #expect(outcome.standardOutput == Array(#"{"stdout""#.utf8))
      #expect(outcome.standardOutputExtent.byteCount > 80)
    }
    // Lines are passed on while the command executes, however many there are.
    let live = PoolCommandOperation(shell: "true")
    var lines = try live.lines().makeAsyncIterator()
    try queue.addOperation(live)
    let line = await lines.next()
    #expect(line?.text == "null")
  }

  @Test("An operation that takes an output as its input gets all of it, whatever the limit")
  func input() async throws {
    let queue = try Pools.commands()
    let maker = PoolCommandOperation(shell: "seq 100000", standardOutput: .bytes(limit: 10))
    let taker = PoolCommandOperation(shell: #"wc -c < "$OPOOL_INPUT_all""#)
    try taker.addInput("all", from: maker)
    try queue.addOperations([maker, taker])
    let count = try await taker.finished().standardOutput
    #expect(String(decoding: count, as: UTF8.self).contains("588895"))
    #expect(maker.outcome?.ending == .succeeded)
    #expect(maker.outcome?.standardOutput.count == 10)
    #expect(maker.outcome?.standardOutputExtent.isTruncated == true)
  }

  @Test("An output goes into a file, whole, and each attempt begins it anew")
  func file() async throws {
    let folder = try TestFolder()
    try folder.write("old", to: "out")
    let line = "cd \(folder.path); seq 100000; mkdir second"
    let outcome = try await outcome(line, .file(folder.path(of: "out")), retries: 1)
    #expect(outcome.ending == .succeeded && outcome.standardOutput.isEmpty)
    #expect(folder.bytes(of: "out").count == Self.count)
    let again = try await self.outcome(line, .file(folder.path(of: "out")), retries: 1)
    #expect(again.ending == .failed && again.attempts == 2)
    #expect(folder.bytes(of: "out").count == Self.count)
  }

  @Test("A relative path is relative to the command's directory, and one file takes both outputs")
  func relativeFile() async throws {
    let folder = try TestFolder()
    let queue = try Pools.commands()
    let command = PoolCommandOperation(
      shell: "echo one; echo two >&2; echo three",
      directory: folder.path,
      standardOutput: .file("both"),
      standardError: .file("both")
    )
    try queue.addOperation(command)
    #expect(try await command.finished().ending == .succeeded)
    #expect(folder.text(of: "both") == "one\ntwo\nthree\n")
  }

  @Test("A file that cannot be made fails the operation, which names it; a FIFO does not hang it")
  func noFile() async throws {
    let folder = try TestFolder()
    try folder.makePipe("pipe")
    for name in ["missing/out", "pipe"] {
      let outcome = try await outcome("true", error: .file(folder.path(of: name)))
      #expect(outcome.failure?.cause == .spawn)
      #expect(outcome.failure?.sentence.contains("'\(folder.path(of: name))'") == true)
      #expect(outcome.failure?.sentence.contains("standard error") == true)
    }
  }
}

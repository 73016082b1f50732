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

  @Test("Beyond its limit the operation fails, and says both numbers", arguments: [1_000, 100_000])
  func fails(limit: Int) async throws {
    let outcome = try await outcome("seq 100000", .bytes(limit: limit))
    #expect(outcome.ending == .failed)
    let failure = try #require(outcome.failure)
    #expect(failure.cause == .outputLimit)
    #expect(failure.sentence == "its output has 588895 bytes, and its limit is \(limit)")
    #expect(outcome.standardOutput.count == limit)
    #expect(outcome.standardOutputExtent.byteCount == Int64(Self.count))
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
    #expect(outcome.failure?.sentence == "its error output has 5 bytes, and its limit is 3")
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

  @Test("A command that fails keeps its cause, and the limit is in the sentence")
  func bothReasons() async throws {
    let failure = try #require(try await outcome("echo; exit 3", .bytes(limit: 0)).failure)
    #expect(failure.cause == .exit && failure.code == 3)
    #expect(failure.sentence.hasSuffix("its output has 1 bytes, and its limit is 0"))
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

import Foundation
import OperationPool
import PoolModel
import PoolTestSupport
import Testing

/// The lines of a command are read while it executes, and none is lost.
@Suite("Lines of commands", .timeLimit(.minutes(30)))
struct CommandLinesTests {
  @Test("All lines come, in order, and the outcome says how many bytes there were")
  func all() async throws {
    let queue = try Pools.commands()
    let command = PoolCommandOperation(shell: "seq 300000")
    let lines = try command.lines()
    try queue.addOperation(command)
    var count = 0
    for await line in lines {
      count += 1
      guard line.text == "\(count)", line.stream == .output, line.endsLine else {
        Issue.record("line \(count) is \(line)")
        break
      }
    }
    #expect(count == 300_000)
    #expect(lines.omittedByteCount == 0)
    let outcome = try await command.finished()
    #expect(outcome.ending == .succeeded)
    #expect(outcome.standardOutputExtent.byteCount == 1_988_895)
    #expect(outcome.standardOutputExtent.isTruncated)
  }

  @Test("A line comes while the command executes")
  func live() async throws {
    let folder = try TestFolder()
    try folder.makePipe("go")
    let queue = try Pools.commands()
    let command = PoolCommandOperation(shell: "echo ready; cat < \(folder.path(of: "go"))")
    let lines = try command.lines()
    try queue.addOperation(command)
    var texts: [String] = []
    for await line in lines {
      texts.append(line.text)
      guard texts.count == 1 else { continue }
      #expect(command.isExecuting)
      // Only now the command can go on.
      let url = URL(filePath: folder.path(of: "go"))
      try await Blocking.run {
        try FileHandle(forWritingTo: url).write(contentsOf: Data("end".utf8))
      }
    }
    #expect(texts == ["ready", "end"])
  }

  @Test("Lines say their stream and attempt, and whether they are whole")
  func attempts() async throws {
    let folder = try TestFolder()
    let queue = try Pools.commands()
    let command = PoolCommandOperation(
      shell: "echo out; printf part >&2; cd \(folder.path); [ -e a ] && exit; touch a; exit 1",
      options: PoolOperationOptions(retryPolicy: .retries(1))
    )
    let lines = try command.lines()
    try queue.addOperation(command)
    var all: [PoolOutputLine] = []
    for await line in lines { all.append(line) }
    for attempt in [1, 2] {
      let own = all.filter { $0.attempt == attempt }
      #expect(own.filter { $0.stream == .output }.map(\.text) == ["out"])
      #expect(own.filter { $0.stream == .error }.map(\.text) == ["part"])
      #expect(own.allSatisfy { $0.endsLine == ($0.stream == .output) })
    }
    #expect(all.count == 4)
  }

  @Test("A command goes on when the reader is gone, and its operation ends")
  func releasedReader() async throws {
    let queue = try Pools.commands()
    let command = PoolCommandOperation(shell: "seq 3000000")
    var lines: PoolOutputLines? = try command.lines()
    try queue.addOperation(command)
    if let some = lines { for await line in some where line.text == "1" { break } }
    lines = nil
    #expect(try await command.finished().ending == .succeeded)
  }

  @Test("Lines end with an operation that is cancelled, or never executed")
  func ends() async throws {
    let queue = try Pools.commands()
    let command = PoolCommandOperation(shell: "yes")
    let lines = try command.lines()
    try queue.addOperation(command)
    var count = 0
    for await _ in lines {
      if count == 0 { command.cancel() }
      count += 1
    }
    #expect(count > 0)
    #expect(command.outcome?.ending == .cancelled)
    var dropped: PoolCommandOperation? = PoolCommandOperation(run: ["true"])
    let none = try #require(try dropped?.lines())
    let same = try #require(try dropped?.lines())
    dropped = nil
    for await line in none { Issue.record("\(line)") }
    for await line in same { Issue.record("\(line)") }
  }

  @Test("Lines are asked for before the operation is added")
  func tooLate() throws {
    let queue = try Pools.commands()
    let command = PoolCommandOperation(run: ["true"])
    try queue.addOperation(command)
    #expect(throws: PoolError.self) { try command.lines() }
  }

  @Test("An input of another operation is whole, though its lines are read")
  func input() async throws {
    let queue = try Pools.commands()
    let maker = PoolCommandOperation(shell: "seq 100000")
    let lines = try maker.lines()
    let taker = PoolCommandOperation(shell: #"wc -c < "$OPOOL_INPUT_all""#)
    try taker.addInput("all", from: maker)
    try queue.addOperations([maker, taker])
    var count = 0
    for await _ in lines { count += 1 }
    #expect(count == 100_000)
    let text = String(decoding: try await taker.finished().standardOutput, as: UTF8.self)
    #expect(text.contains("588895"))
  }
}

import OperationPool
import PoolJournal
import PoolModel
import PoolSystem
import PoolTestSupport
import Synchronization
import Testing

@testable import PoolCommand
@testable import PoolCore

/// Contract: an output that is far too large to be stored soon holds up neither the loop nor the end of
/// the run.
@Suite("Storing large outputs", .timeLimit(.minutes(5)))
struct OutputStorageTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func path(_ name: String) -> [UInt8] { Array(folder.path(of: name).utf8) }

  /// Two operations, of which the second depends on the first.
  private func session(isJournaled: Bool) throws -> RunSession {
    let lines = [#"{"id":"a","shell":"true"}"#, #"{"id":"b","shell":"true","after":["a"]}"#]
    let null = try Descriptors.createFile(path: path("printed"))
    var printing = Printer.Options()
    (printing.output, printing.error) = (null, null)
    let journal = try RunJournal(path("j"), JournalOptions(), waiting: { _ in }, failed: { _ in })
    return RunSession(
      try Manifest(Array(lines.joined(separator: "\n").utf8)),
      SharedOptions(),
      RunControl([.command("true", count: 1)]),
      try Printer(printing),
      RunProgress(),
      isJournaled ? journal : nil,
      results: nil,
      folder: isJournaled ? nil : try ResultsFolder(path("R/"))
    )
  }

  private func end(
    _ operation: Int,
    with output: OutputContent,
    in session: RunSession
  ) {
    let settlement = Settlement(
      OperationID(index: operation, generation: 0),
      .succeeded,
      because: .answer,
      root: OperationID(index: operation, generation: 0),
      detail: .none,
      attempt: 1,
      worker: nil,
      queued: nil,
      started: .zero,
      finished: .zero
    )
    session.handle(.settled(settlement, AttemptReport(standardOutput: output)), number: 0)
  }

  /// A terabyte, of which the disk has nothing.
  private func hugeOutput() throws -> OutputContent {
    let size: Int64 = 1 << 40
    let file = try TemporaryFile.open()
    try DurableFile.cut(file, to: size)
    return .file(OutputFile(descriptor: file, byteCount: size))
  }

  @Test(
    "While a huge output is stored, the loop goes on, and a signal ends the run",
    arguments: [ProcessSignal.interrupt, .terminate, .quit],
    [false, true]
  )
  func signal(_ signal: ProcessSignal, isJournaled: Bool) async throws {
    let session = try session(isJournaled: isJournaled)
    session.submit(0..<2)
    end(0, with: try hugeOutput(), in: session)
    session.finishTurn()
    #expect(session.endings.count == 1)
    // Only when it is stored may anything begin that relies on it.
    #expect(session.dispatchPermission() == .later)
    session.receive(signal)
    #expect(session.dispatchPermission() == .denied)
    end(1, with: .empty, in: session)
    try await Blocking.run { #expect(!session.finishEndings()) }
    #expect(session.endings.count == 0)
    #expect(session.state.withLock { !$0.endings.contains(.max) })
    if isJournaled {
      try session.journal?.close()
      let outcomes = try JournalContent.state(path: path("j"), session.options).outcomes
      #expect(outcomes.count == 1, "the huge output's operation is executed again")
      #expect(try !folder.names().contains("j.outputs"))
    } else {
      #expect(session.folder?.has(0, in: session.workload) == false)
    }
  }

  @Test("A hang-up and the end of the operations leave it the time that it needs")
  func patience() async throws {
    let session = try session(isJournaled: false)
    session.submit(0..<1)
    let bytes = [UInt8](repeating: 7, count: 3 << 20)
    let file = OutputFile(
      descriptor: try TemporaryFile.open(holding: bytes),
      byteCount: Int64(bytes.count)
    )
    end(0, with: .file(file), in: session)
    session.receive(.hangUp)
    try await Blocking.run { #expect(session.finishEndings()) }
    #expect(session.folder?.has(0, in: session.workload) == true)
    #expect(session.dispatchPermission() == .granted)
  }
}

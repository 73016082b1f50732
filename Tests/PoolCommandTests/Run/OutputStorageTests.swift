import OperationPool
import PoolEvents
import PoolJournal
import PoolModel
import PoolSystem
import PoolTestSupport
import Synchronization
import Testing

@testable import PoolCommand
@testable import PoolContents
@testable import PoolCore
@testable import PoolInputs
@testable import PoolReports

/// Contract: an output that is far too large to be stored soon holds up neither the loop nor the
/// end of the run.
@Suite("Storing large outputs", .timeLimit(.minutes(5)))
struct OutputStorageTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func path(_ name: String) -> [UInt8] { Array(folder.path(of: name).utf8) }

  /// Two operations, of which the second depends on the first, unless others are given.
  private func session(
    isJournaled: Bool,
    _ lines: [String] = [
      #"{"id":"a","shell":"true"}"#, #"{"id":"b","shell":"true","after":["a"]}"#,
    ]
  ) throws -> RunSession {
    let manifest = try Manifest(Array(lines.joined(separator: "\n").utf8))
    return try session(isJournaled: isJournaled, of: manifest)
  }

  private func session(isJournaled: Bool, of workload: any Workload) throws -> RunSession {
    let null = try Descriptors.createFile(path: path("printed"))
    var printing = Printer.Options()
    (printing.output, printing.error) = (null, null)
    let journal = try RunJournal(path("j"), JournalOptions(), waiting: { _ in }, failed: { _ in })
    return RunSession(
      workload,
      SharedOptions(),
      RunControl([.command("true", count: 1)]),
      try Printer(printing),
      RunProgress(),
      isJournaled ? journal : nil,
      sinks: [
        .events: LineSink(.file(try Descriptors.createFile(path: path("events"))), of: .events)
      ],
      folder: isJournaled ? nil : try ResultsFolder(path("R/"))
    )
  }

  private func settlement(of operation: Int) -> Settlement {
    Settlement(
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
  }

  private func end(
    _ operation: Int,
    with output: OutputContent,
    in session: RunSession
  ) {
    let report = AttemptReport(standardOutput: output)
    session.handle(.settled(settlement(of: operation), report), number: 0)
  }

  /// Ends an operation of a kind.
  private func end(_ operation: Int, with result: ResultContent?, in session: RunSession) {
    let record = EndRecord(number: operation, ending: .succeeded, attempt: 1, finished: .zero)
    session.conclude(
      EndedOperation(
        record,
        .empty,
        result: result,
        for: .results,
        isKept: session.journal != nil
      )
    )
  }

  private static let kinds = [#"{"id":"a","kind":"k"}"#, #"{"id":"b","kind":"k"}"#]

  /// Eight gigabytes, of which the disk has nothing.
  private func hugeResult() throws -> ResultContent? {
    let size: Int64 = 8 << 30
    let file = try TemporaryFile.open()
    try DurableFile.cut(file, to: size)
    return ResultContent(OutputFile(descriptor: file, byteCount: size))
  }

  @Test(
    "While a huge result is stored, the loop goes on, and a signal ends the run",
    arguments: [false, true]
  )
  func result(isJournaled: Bool) async throws {
    let session = try session(isJournaled: isJournaled, Self.kinds)
    session.submit(0..<2)
    end(0, with: try hugeResult(), in: session)
    session.finishTurn()
    #expect(session.endings.count == 1)
    #expect(session.dispatchPermission() == .later)
    session.receive(.interrupt)
    try await Blocking.run { #expect(!session.finishEndings()) }
    #expect(session.endings.count == 0)
    if isJournaled {
      try session.journal?.close()
      let outcomes = try JournalContent.state(path: path("j"), isQuiet: true).outcomes
      #expect(outcomes.isEmpty, "the huge result's operation is executed again")
      #expect(try !folder.names().contains("j.outputs"))
    } else {
      #expect(try folder.names(in: "R/a") == ["seq"])
    }
  }

  @Test("While results of more than 16 MiB wait in memory, no operation starts")
  func memory() async throws {
    // Its operations depend on no others.
    let template = try Template(command: [Array("true".utf8)])
    let inputs = MapInputs(arguments: (0..<3).map { Array("\($0)".utf8) })
    let session = try session(
      isJournaled: false,
      of: MapWorkload(template: template, inputs: InputList(inputs))
    )
    session.submit(0..<3)
    end(0, with: try hugeOutput(), in: session)
    for (operation, permission) in [(1, DispatchPermission.granted), (2, .later)] {
      end(operation, with: ResultContent([UInt8](repeating: 0x20, count: 9 << 20)), in: session)
      #expect(session.dispatchPermission() == permission)
    }
    session.receive(.interrupt)
    try await Blocking.run { #expect(!session.finishEndings()) }
  }

  @Test(
    "A small result is stored at once",
    arguments: [(1 << 20, false), (1 << 20 + 1, true)]
  )
  func size(count: Int, isLong: Bool) throws {
    #expect(ResultContent([UInt8](repeating: 0x20, count: count)).isLong == isLong)
    let session = try session(isJournaled: false, Self.kinds)
    session.submit(0..<1)
    end(0, with: ResultContent(Array("[1]".utf8)), in: session)
    #expect(session.endings.count == 0)
    #expect(folder.text(of: "R/a/result") == "[1]")
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
    #expect(session.recorder.isComplete)
    session.readers.flush()
    let ends = folder.text(of: "events").split(separator: "\n")
      .filter { $0.contains(#""type":"settled""#) }
    #expect(ends.map { $0.contains(#""counts":false"#) } == [true, false])
    if isJournaled {
      try session.journal?.close()
      let outcomes = try JournalContent.state(path: path("j"), isQuiet: true).outcomes
      #expect(outcomes.count == 1, "the huge output's operation is executed again")
      #expect(try !folder.names().contains("j.outputs"))
    } else {
      #expect(session.folder?.folder.has(0, in: session.workload) == false)
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
    #expect(session.folder?.folder.has(0, in: session.workload) == true)
    #expect(session.dispatchPermission() == .granted)
  }
}

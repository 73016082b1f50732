import OperationPool
import PoolContents
import PoolJournal
import PoolModel
import PoolSystem
import PoolTestSupport
import Synchronization
import Testing

@testable import PoolCommand
@testable import PoolCore
@testable import PoolInputs
@testable import PoolReports

/// Contract: behind an outcome that could not be kept nothing is printed, told or dispatched.
@Suite("A journal that cannot be written")
struct JournalFailureTests {
  /// A file on a disk whose n-th write, or sync, fails.
  private final class FailingStorage: JournalStorage {
    private struct State {
      var bytes = JournalBytes.withHeader.bytes
      var syncedCount = 0
      var calls = 0
    }

    private let state = Mutex(State())
    private let failing: Int

    init(failing: Int) { self.failing = failing }

    var bytes: [UInt8] { state.withLock { $0.bytes } }
    /// What is there when the machine stops.
    var syncedBytes: [UInt8] { state.withLock { Array($0.bytes[..<$0.syncedCount]) } }

    private func fails() -> Bool {
      state.withLock { state in
        state.calls += 1
        return state.calls >= failing
      }
    }

    func append(_ bytes: [UInt8]) throws(SystemFailure) {
      if fails() { throw SystemFailure(call: "write", code: 28) }
      state.withLock { $0.bytes += bytes }
    }

    func sync() throws(SystemFailure) {
      if fails() { throw SystemFailure(call: "fdatasync", code: 5) }
      state.withLock { $0.syncedCount = $0.bytes.count }
    }

    func cut(to count: Int) throws(SystemFailure) {
      state.withLock { $0.bytes.removeLast(max(0, $0.bytes.count - count)) }
    }
  }

  private static let turns = 4
  private let folder: TestFolder
  private let batch: Manifest

  init() throws {
    folder = try TestFolder()
    let lines = (0..<Self.turns * 2).map { #"{"id":"\#($0)","shell":"true"}"# + "\n" }
    batch = try Manifest(Array(lines.joined().utf8))
  }

  private func path(_ name: String) -> [UInt8] { Array(folder.path(of: name).utf8) }

  private func session(
    _ storage: FailingStorage,
    _ durability: Durability,
    printingTo output: Int32,
    _ ended: Monitor<Bool>
  ) throws -> RunSession {
    let outputs = try OutputStore(path: path("outputs"), holding: [])
    let end = JournalBytes.withHeader.bytes.count
    let writer = try JournalWriter(storage, .init(end: end), durability: durability) { _ in }
    var printing = Printer.Options()
    (printing.output, printing.error) = (output, output)
    printing.ended = {
      ended.withLock { $0 = true }
      ended.broadcast()
    }
    var options = SharedOptions()
    options.verbosity = .quiet
    options.results = path("results")
    return RunSession(
      batch,
      options,
      RunControl([.command("true", count: 1)]),
      try Printer(printing),
      RunProgress(),
      RunJournal(OpenJournal(writer, outputs)),
      sinks: [.results: LineSink(.file(try Descriptors.createFile(path: path("results"))))]
    )
  }

  private func settlement(of operation: Int) -> Settlement {
    let id = OperationID(index: operation, generation: 0)
    return Settlement(
      id,
      .succeeded,
      because: .answer,
      root: id,
      detail: .none,
      attempt: 1,
      worker: nil,
      queued: nil,
      started: nil,
      finished: .zero
    )
  }

  /// Each turn settles two operations and dispatches one.
  @Test("Whichever write or sync fails", arguments: 1...10)
  func failing(_ call: Int) throws {
    for durability in [Durability.operation, .none] {
      let output = try TemporaryFile.open()
      defer { Descriptors.close(output) }
      let storage = FailingStorage(failing: call)
      let ended = Monitor(false)
      let session = try session(storage, durability, printingTo: output, ended)
      session.submit(0..<batch.count)
      var dispatched: [Int] = []
      for turn in 0..<Self.turns {
        for operation in [2 * turn, 2 * turn + 1] {
          let report = AttemptReport(standardOutput: .inline(Array("\(operation)\n".utf8)))
          session.handle(.settled(settlement(of: operation), report), number: 0)
        }
        if session.dispatchPermission() == .granted { dispatched.append(turn) }
        session.finishTurn()
      }
      session.printer.close()
      ended.wait(while: { !$0 }, then: { _ in })
      session.readers.flush()
      let kept = durability == .operation ? storage.syncedBytes : storage.bytes
      try check(session, output, dispatched, kept: ids(in: kept))
    }
  }

  private func ids(in journal: [UInt8]) throws -> [String] {
    try JournalScan(journal).entries.compactMap { entry in
      guard case .settled(let settlement) = entry.record else { return nil }
      return String(decoding: settlement.id, as: UTF8.self)
    }
  }

  private func check(
    _ session: RunSession,
    _ output: Int32,
    _ dispatched: [Int],
    kept: [String]
  ) throws {
    var printed: [UInt8] = []
    try SystemIO.forEachPiece(of: output, 0..<10_000) { printed += $0 }
    #expect(printed == kept.flatMap { Array("\($0)\n".utf8) })
    let told = folder.text(of: "results").matches(of: /"id":"([^"]+)"/).map { String($0.1) }
    #expect(told == kept)
    #expect(dispatched == Array(0..<kept.count / 2))
    #expect((session.control.earlyExitCode == .output) == (kept.count < batch.count))
  }
}

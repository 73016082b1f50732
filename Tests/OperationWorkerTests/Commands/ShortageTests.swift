import Foundation
import PoolModel
import PoolTestSupport
import PoolWire
import Testing

@testable import OperationWorker
@testable import PoolSystem

/// What a worker does that may open no more files.
@Suite(
  "A worker's shortages",
  .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/prlimit"), "needs prlimit"),
  .timeLimit(.minutes(30))
)
struct ShortageTests {
  /// A command after which its worker may open no file.
  private static let lowering = "prlimit --pid $PPID --nofile=3:"

  private func raiseLimit(of worker: WorkerHarness) throws {
    let process = try Programs.start(
      ["/usr/bin/prlimit", "--pid", "\(worker.pid)", "--nofile=1024:"]
    )
    process.waitForEnd()
    #expect(try process.reap().0 == .exited(0))
  }

  @Test("A folder of inputs that could not be removed goes with the next one")
  func folder() throws {
    let place = try TestFolder()
    let worker = try WorkerHarness(temporaryFolder: place.path)
    let input = NamedInput(name: "words", .output([0x61]))
    let command = worker.command(CommandPayload(.shell(Array(Self.lowering.utf8))), with: input)
    #expect(try worker.answer(to: command).failure == nil)
    #expect(try place.names().count == 1, "for want of a descriptor")
    try raiseLimit(of: worker)
    let next = worker.command(CommandPayload(run: "true"), with: input)
    #expect(try worker.answer(to: next).failure == nil)
    #expect(try place.names() == [])
  }

  /// Each time that it tries again, it says that the command's time begins anew.
  @Test("A worker waits for a shortage to pass, and then executes its command")
  func passing() throws {
    let worker = try WorkerHarness()
    #expect(try worker.answer(to: worker.shell(Self.lowering)).failure == nil)
    // Its input is a file, which cannot be made.
    let input = NamedInput(name: "words", .output([0x61]))
    let command = worker.command(CommandPayload(run: "echo", "done"), with: input)
    worker.send(.execute(command))
    for _ in 0..<2 {
      #expect(try worker.next() == .executing(command.reference, nil))
    }
    try raiseLimit(of: worker)
    let answer = try worker.finish(of: command)
    #expect(answer.outputText == "done\n")
  }

  @Test("A worker that lacks descriptors ends only when its outputs were fetched")
  func outputs() throws {
    let worker = try WorkerHarness()
    // More than the widest pipe holds: some of it is in the file before the limit is lowered.
    let large = worker.shell("head -c 4000000 /dev/zero; \(Self.lowering)")
    let answer = try worker.answer(to: large)
    guard case .file = answer.standardOutput else {
      Issue.record("the output is not in a file")
      return
    }
    worker.send(.execute(worker.shell("true")))
    // Twice what it waits for a shortage to pass.
    MonotonicClock.sleep(nanoseconds: .seconds(1))
    try #require(!worker.process.hasEnded)
    worker.send(.release(large.reference))
    #expect(try worker.end() == .exited(75))
  }
}

/// Open files that the coordinator still reads.
@Suite("Kept files", .timeLimit(.minutes(30)))
struct KeptFilesTests {
  private let reference = DispatchReference(
    operation: OperationID(rawValue: 1),
    dispatch: DispatchNumber(rawValue: 1)
  )

  /// A connection that only keeps files.
  private func connection() -> CoordinatorConnection {
    CoordinatorConnection(StandardStreams(input: -1, output: -1))
  }

  @Test("Kept files are waited for until the deadline")
  func deadline() throws {
    let files = connection()
    #expect(files.waitForRelease(until: MonotonicClock.now))
    files.keep(try TemporaryFile.open(), for: reference)
    #expect(!files.waitForRelease(until: MonotonicClock.now))
    files.release(reference)
    #expect(files.waitForRelease(until: MonotonicClock.now))
  }

  @Test("A release ends the wait")
  func release() async throws {
    let files = connection()
    files.keep(try TemporaryFile.open(), for: reference)
    async let isReleased = Blocking.run {
      files.waitForRelease(until: MonotonicClock.now + .seconds(30))
    }
    files.release(reference)
    #expect(try await isReleased)
  }
}

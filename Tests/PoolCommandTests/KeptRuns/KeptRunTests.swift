import Foundation
import PoolAnalysis
import PoolEvents
import PoolModel
import PoolSystem
import PoolTestSupport
import Synchronization
import Testing

@testable import PoolCommand
@testable import PoolReports

/// Runs whose records nobody has asked for.
@Suite("Kept runs")
struct KeptRunTests {
  private static let second: Int64 = 1_000_000_000

  @Test("a name says when its run began, and other names are none")
  func names() {
    for (ending, suffix) in [(RunFileName.Ending.records, ".jsonl"), (.socket, ".sock")] {
      let name = RunFileName(ending, start: 1_700_000_000_123_456_789, process: 42)
      #expect(String(decoding: name.bytes, as: UTF8.self) == "1700000000123-42\(suffix)")
      #expect(RunFileName(ending, name.bytes) == name)
      for other in ["", "x-2", "1-2-3", "1-99999999999", "1-0", "1--4", "-1"] {
        #expect(RunFileName(ending, Array((other + suffix).utf8)) == nil, "\(other)")
      }
      #expect(RunFileName(ending, Array("1-2".utf8)) == nil)
    }
    let (early, late) = (
      RunFileName(.records, start: 9_000_000, process: 5),
      RunFileName(.records, start: 10_000_000, process: 1)
    )
    #expect(early < late)
  }

  @Test("the newest runs stay, within the number and the bytes")
  func surplus() {
    let files = (1...5).map {
      (name: RunFileName(.records, start: $0 * 1_000_000, process: 1), size: Int64(10))
    }
    func starts(count: Int, bytes: Int64) -> [Int64] {
      KeptRunList.surplus(of: files, count: count, bytes: bytes).map(\.start)
    }
    #expect(starts(count: 5, bytes: 50) == [])
    #expect(starts(count: 3, bytes: 50) == [2, 1])
    #expect(starts(count: 5, bytes: 29) == [3, 2, 1])
    #expect(starts(count: 0, bytes: 50) == [5, 4, 3, 2, 1])
  }

  @Test("records stay in memory for ten seconds, unless they are too many, and then are written")
  func policy() {
    var policy = KeptRunPolicy()
    func at(_ seconds: Int64) -> Instant { Instant(nanoseconds: seconds * Self.second) }
    #expect(policy.step(100, at: at(1)) == .wait)
    #expect(policy.step(KeptRunPolicy.block, at: at(9)) == .wait)
    #expect(policy.step(100, at: at(10)) == .write)
    #expect(policy.step(100, at: at(10)) == .wait)
    #expect(policy.step(KeptRunPolicy.block, at: at(10)) == .write)
    #expect(policy.step(1, at: at(11)) == .write)
    #expect(policy.step(Int(KeptRunList.byteLimit), at: at(12)) == .giveUp)
    var early = KeptRunPolicy()
    #expect(early.step(KeptRunPolicy.waitingLimit, at: at(1)) == .write)
  }

  @Test("they are kept where a person watches, unless the variable says no")
  func choice() throws {
    let home = try #require(folder(home: "/h"))
    func count(_ wish: String?, terminal: Bool = true) -> Int? {
      let choice = KeptRunChoice(
        wish: wish.map { Array($0.utf8) },
        isErrorTerminal: terminal,
        home: home
      )
      return choice.folder.map { _ in choice.count }
    }
    #expect(count(nil) == 10 && count("3") == 3 && count("99") == 10 && count("x") == 10)
    #expect(count("0") == nil && count("-1") == nil && count(nil, terminal: false) == nil)
  }

  private func folder(home: String? = nil, stateHome: String? = nil) -> StateFolder? {
    StateFolder(
      named: "opool",
      home: home.map { Array($0.utf8) },
      stateHome: stateHome.map { Array($0.utf8) }
    )
  }

  @Test("the folder is where the XDG Base Directory Specification has it")
  func location() {
    func path(_ home: String?, _ stateHome: String?) -> String? {
      folder(home: home, stateHome: stateHome).map { String(decoding: $0.path, as: UTF8.self) }
    }
    #expect(path("/h", nil) == "/h/.local/state/opool")
    #expect(path("/h", "/s") == "/s/opool")
    #expect(path("/h", "relative") == "/h/.local/state/opool")
    #expect(path(nil, "") == nil && path("h", nil) == nil)
  }

  /// A run that is told at these seconds, in a folder.
  private func keep(
    in folder: TestFolder,
    named name: String = "state",
    among count: Int = 10,
    process: Int32 = 1,
    _ seconds: [Int64]
  ) throws -> String? {
    let time = Mutex(Instant.zero)
    let run = KeptRun(
      in: try #require(self.folder(stateHome: folder.path(of: name))),
      as: RunFileName(.records, start: 1_700_000_000_000_000_000, process: process),
      among: count,
      now: { time.withLock { $0 } }
    )
    let began = RunBegan(start: 0, run: [], journal: nil, process: 1, boot: nil, folder: nil)
    run.take(.runBegan(began))
    for second in seconds {
      time.withLock { $0 = Instant(nanoseconds: second * Self.second) }
      let greeting = WorkerGreeted(worker: WorkerID(rawValue: 1), process: 3, configuration: 0)
      run.take(.workerGreeted(greeting))
    }
    return run.finish(within: 60 * Self.second)
  }

  @Test("a long run is a file of its owner's alone, which a report reads; a short one is none")
  func files() throws {
    let folder = try TestFolder()
    #expect(try keep(in: folder, [1, 9]) == nil)
    #expect(!FileManager.default.fileExists(atPath: folder.path(of: "state")))
    let line = try #require(try keep(in: folder, [1, 10, 10, 12]))
    let path = folder.path(of: "state/opool/1700000000000-1.jsonl")
    #expect(line == "the records of this run are in \(path)")
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let run = try RecordedRun(path: Array(path.utf8))
    #expect(run.count == 1 && run.findings == [])
    #expect(run.history.workers.count == 1)
    #expect(run.history.end == Instant(nanoseconds: 12 * Self.second))
  }

  @Test("a new file makes room, and what cannot be written is said and left out")
  func limits() throws {
    let folder = try TestFolder()
    for process in 1...3 {
      _ = try keep(in: folder, among: 2, process: Int32(process), [10])
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "state/opool"))
    #expect(names.sorted() == ["1700000000000-2.jsonl", "1700000000000-3.jsonl"])
    try folder.write("no folder", to: "file")
    let line = try #require(try keep(in: folder, named: "file", [10]))
    #expect(line.hasPrefix("the records of this run are not kept: "))
  }
}

import Foundation
import PoolAnalysis
import PoolEvents
import PoolModel
import PoolSystem
import Testing

@testable import PoolReports

/// Contract: the trace of a run is JSON whatever its texts contain, and a timeline that programs
/// for traces can draw.
@Suite("Traces of recorded runs")
struct TraceReportTests {
  /// The pieces of a trace.
  private func pieces(of history: RunHistory, _ omissions: PageOptions.Omissions) throws
    -> [[UInt8]]
  {
    let taken = Pieces()
    try TraceReport(history, omissions).write { piece in taken.all.append(piece) }
    return taken.all
  }

  /// What a trace has written.
  private final class Pieces {
    var all: [[UInt8]] = []
  }

  private func object(
    _ history: RunHistory,
    _ omissions: PageOptions.Omissions = []
  ) throws -> [String: Any] {
    let text = try pieces(of: history, omissions).flatMap(\.self)
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let object = try JSONSerialization.jsonObject(with: Data(text)) as? [String: Any]
    let trace = try #require(object)
    let events = try #require(trace["traceEvents"] as? [Any])
    // One line for each event, the head, the end, and the last line feed.
    #expect(lines.count == events.count + 3)
    return trace
  }

  private func events(
    _ history: RunHistory,
    _ omissions: PageOptions.Omissions = []
  ) throws -> [Event] {
    let trace = try object(history, omissions)
    return try #require(trace["traceEvents"] as? [[String: Any]]).map(Event.init)
  }

  /// An event as a program for traces reads it.
  private struct Event {
    let phase: String
    let track: [Int]
    let time: Int
    let duration: Int
    let name: String
    let fields: [String: Any]
    let arguments: [String: Any]

    init(_ object: [String: Any]) {
      phase = object["ph"] as? String ?? ""
      track = [object["pid"] as? Int ?? -1, object["tid"] as? Int ?? -1]
      time = object["ts"] as? Int ?? -1
      duration = object["dur"] as? Int ?? 0
      name = object["name"] as? String ?? ""
      fields = object
      arguments = object["args"] as? [String: Any] ?? [:]
    }
  }

  /// Each process and thread has a name, and on a thread events follow each other.
  private func expectTimeline(_ events: [Event]) {
    let named = events.filter { $0.phase == "M" }
    let processes = Set(named.filter { $0.name == "process_name" }.map { $0.track[0] })
    let threads = Set(named.filter { $0.name == "thread_name" }.map(\.track))
    #expect(processes.count == named.count { $0.name == "process_name" })
    #expect(threads.count == named.count { $0.name == "thread_name" })
    #expect(threads.allSatisfy { $0[0] != $0[1] })
    var ends: [[Int]: Int] = [:]
    for event in events where event.phase != "M" {
      #expect(processes.contains(event.track[0]))
      #expect(event.time >= 0 && event.duration >= 0)
      guard event.phase != "C" else { continue }
      #expect(threads.contains(event.track))
      #expect(event.phase == "i" || event.time >= ends[event.track] ?? 0, "\(event.name)")
      ends[event.track] = max(ends[event.track] ?? 0, event.time + event.duration)
    }
    var last = 0
    for counter in events where counter.phase == "C" {
      #expect(counter.time >= last)
      last = counter.time
      for value in counter.arguments.values { #expect(value as? Int ?? -1 >= 0) }
    }
  }

  @Test("hostile texts become visible characters of valid JSON")
  func hostileTexts() throws {
    let history = SyntheticRun.hostile()
    let events = try events(history)
    expectTimeline(events)
    let attempts = events.filter { $0.phase == "X" && $0.track[0] > 1 }
    #expect(attempts.count == 2 * SyntheticRun.hostileTexts.count)
    let names = Set(attempts.map(\.name))
    #expect(names.contains("</script><img src=x onerror=alert(1)>"))
    #expect(names.contains(#"a\u{202e}b\u{2028}c\u{200b}d\u{feff}e\n\r\t\x1B[31m\x00\x85"#))
    #expect(names.contains(#"a\xFF\xC3(\xED\xA0\x80b"#))
    #expect(attempts.allSatisfy { $0.fields["cat"] as? String == $0.name })
    for piece in try pieces(of: history, []) {
      let text = String(decoding: piece, as: UTF8.self)
      #expect(Array(text.utf8) == piece)
      #expect(!text.unicodeScalars.contains { $0.value < 32 && $0 != "\n" || $0.value == 0x202E })
    }
    let deaths = events.filter { $0.phase == "i" }
    #expect(deaths.count == 2 && deaths.allSatisfy { $0.name.hasSuffix("died") })
    #expect(deaths.allSatisfy { $0.arguments["manner"] as? String == "signal" })
  }

  @Test("an attempt says what it was, when it was ready, and how it ended")
  func attempts() throws {
    var run = SyntheticRun()
    run.addGroup(9, Array("compile".utf8))
    run.submit(0, Array("a".utf8), command: Array(repeating: 0x61, count: 400), group: 9)
    run.submit(1, Array("b".utf8), after: [0])
    run.execute(0, on: 0, for: 3_000_000, as: .failed, saying: "exit code 3", isLast: false)
    run.execute(0, on: 1, for: 2_000_000, attempt: 2)
    run.execute(1, on: 0, for: 5_000_500)
    run.end()
    let events = try events(run.history)
    expectTimeline(events)
    let attempts = events.filter { $0.phase == "X" && $0.track[0] > 1 }.sorted { $0.time < $1.time }
    #expect(attempts.map(\.name) == ["a", "a", "b"])
    #expect(attempts.map(\.time) == [1_000, 4_000, 6_000])
    #expect(attempts.map(\.duration) == [3_000, 2_000, 5_000])
    #expect(attempts.map { $0.fields["cat"] as? String } == ["compile", "compile", "operation"])
    #expect(attempts.map { $0.fields["cname"] as? String } == ["bad", nil, nil])
    #expect(attempts.map { $0.arguments["attempt"] as? Int } == [1, 2, 1])
    let outcomes = attempts.map { $0.arguments["outcome"] as? String }
    #expect(outcomes == ["failed", "succeeded", "succeeded"])
    #expect(attempts.map { $0.arguments["worker"] as? Int } == [1, 2, 1])
    #expect(attempts.map { $0.arguments["ready"] as? Double } == [0.001, 0.004, 0.006])
    #expect(attempts.map { $0.arguments["message"] as? String } == ["exit code 3", nil, nil])
    let command = try #require(attempts[0].arguments["command"] as? String)
    #expect(command == String(repeating: "a", count: 300) + "…")
  }

  @Test("the chain that decided is a track of its own, with what each attempt had waited for")
  func chain() throws {
    var run = SyntheticRun()
    for number in 0..<3 {
      run.submit(number, Array("op\(number)".utf8), after: number > 0 ? [0] : [])
    }
    for number in 0..<3 { run.execute(number, on: 0, for: 4_000_000) }
    run.end()
    let events = try events(run.history)
    let name = events.first { $0.arguments["name"] as? String == "why it took that long" }
    let track = try #require(name?.track)
    let steps = events.filter { $0.phase == "X" && $0.track == track }
    #expect(steps.map(\.name) == ["waiting", "op0", "op1", "op2"])
    let reasons = steps.map { $0.arguments["after"] ?? $0.arguments["for"] ?? "" } as? [String]
    #expect(
      reasons == [
        "the beginning of the run", "the beginning of the run", "the end of a dependency",
        "a free slot",
      ]
    )
  }

  @Test("counters say how many were ready, executing and ended, wherever that changes")
  func counters() throws {
    var run = SyntheticRun()
    for number in 0..<2 { run.submit(number, Array("op\(number)".utf8)) }
    run.execute(0, on: 0, for: 1_000_000)
    run.execute(1, on: 0, for: 1_000_000, as: .failed)
    run.end()
    let events = try events(run.history)
    func values(_ name: String, _ key: String) -> [Int] {
      events.filter { $0.phase == "C" && $0.name == name }
        .compactMap { $0.arguments[key] as? Int }
    }
    #expect(values("operations", "executing") == [1, 1, 0])
    #expect(values("operations", "ready") == [1, 0, 0])
    #expect(values("ended", "succeeded") == [1, 1])
    #expect(values("ended", "unsuccessful") == [0, 1])
  }

  @Test("an operation that is to be tried again is ready when that is due")
  func due() throws {
    var history = RunHistory()
    func instant(_ milliseconds: Int64) -> Instant {
      Instant(nanoseconds: milliseconds * 1_000_000)
    }
    let description = OperationDescription(id: [0x61])
    history.take(.submitted(SubmittedRecord(number: 0, description, key: nil)), at: .zero)
    for (attempt, start) in [(1, Int64(1)), (2, 6)] {
      let end = EndRecord(
        number: 0,
        ending: .failed,
        attempt: attempt,
        worker: WorkerID(rawValue: 1),
        started: instant(start),
        finished: instant(start + 1)
      )
      history.take(.attemptEnded(end), at: instant(start + 1))
      let retry = RetryPlanned(number: 0, after: 1, due: instant(5), because: "x")
      if attempt == 1 { history.take(.retryPlanned(retry), at: instant(2)) }
    }
    let events = try events(history)
    let counters = events.filter { $0.name == "operations" }
    #expect(counters.map(\.time) == [0, 1_000, 2_000, 5_000, 6_000, 7_000])
    #expect(counters.map { $0.arguments["ready"] as? Int } == [1, 0, 0, 1, 0, 0])
    let ready = events.compactMap { $0.arguments["outcome"] != nil ? $0.arguments["ready"] : nil }
    #expect(ready as? [Double] == [0, 0.005])
  }

  @Test("each place of workers is a process, by its worker configuration")
  func places() throws {
    var history = RunHistory()
    let commands = ["ssh -p 22 -4 host.example opool-worker", "python3 w.py", nil]
    for (worker, configuration) in [0, 1, 0, 2].enumerated() {
      let id = WorkerID(rawValue: UInt32(worker))
      let greeting = WorkerGreeted(
        worker: id,
        process: 1,
        configuration: configuration,
        place: commands[configuration]
      )
      history.take(.workerGreeted(greeting), at: .zero)
    }
    func names(_ omissions: PageOptions.Omissions) throws -> [String?] {
      let events = try events(history, omissions)
      expectTimeline(events)
      return events.filter { $0.name == "process_name" }.map { $0.arguments["name"] as? String }
    }
    #expect(try names([]) == ["run", "ssh host.example", "python3 w.py", "local"])
    let numbers = ["run", "worker configuration 1", "worker configuration 2", "local"]
    #expect(try names(.commands) == numbers)
  }

  @Test(
    "the host is the first word behind ssh that is no option",
    arguments: [
      ("ssh a opool-worker", "ssh a"), ("/usr/bin/ssh -oUser=x -i key u@b w", "ssh u@b"),
      ("ssh", "ssh"), ("ssh -p", "ssh -p"), ("sshd a", "sshd a"), ("srun x", "srun x"),
    ]
  )
  func hosts(_ command: String, _ name: String) {
    #expect(WorkerPlace.name(of: Array(command.utf8)) == name)
  }

  @Test("what others should not see is left out")
  func omissions() throws {
    var run = SyntheticRun(arguments: [Array("run".utf8), Array("secret1".utf8)])
    run.submit(0, Array("a".utf8), command: Array("secret2".utf8))
    run.execute(0, on: 0, as: .failed, saying: "secret3", isLast: false)
    run.execute(0, on: 0, attempt: 2, as: .failed, saying: "secret4")
    run.loseWorker(1, "secret5")
    run.end()
    func secrets(_ omissions: PageOptions.Omissions) throws -> [Int] {
      let text = String(decoding: try pieces(of: run.history, omissions).joined(), as: UTF8.self)
      return (1...5).filter { text.contains("\"secret\($0)\"") || text.contains(" secret\($0)\"") }
    }
    #expect(try secrets([]) == [1, 2, 3, 4, 5])
    // The host of this run is called like its argument.
    #expect(try secrets(.commands) == [1, 3, 4, 5])
    #expect(try secrets([.commands, .outputs]) == [1])
    let head = try #require(
      try object(run.history, .commands)["otherData"] as? [String: Any]
    )
    #expect(head["command"] == nil && head["program"] as? String == "opool")
  }

  @Test("attempts that overlap because clocks differ, or that have no end, are cut")
  func overlaps() throws {
    var history = RunHistory()
    let worker = WorkerID(rawValue: 1)
    func end(_ number: Int, _ start: Int64, _ finish: Int64) {
      let end = EndRecord(
        number: number,
        ending: .succeeded,
        attempt: 1,
        worker: worker,
        started: Instant(nanoseconds: start),
        finished: Instant(nanoseconds: finish)
      )
      history.take(.attemptEnded(end), at: Instant(nanoseconds: finish))
    }
    for number in 0..<4 {
      let description = OperationDescription(id: Array("o\(number)".utf8))
      history.take(
        .submitted(SubmittedRecord(number: number, description, key: nil)),
        at: .zero
      )
    }
    end(0, 1_000, 9_000)
    end(1, 8_500, 12_000)
    let start = Instant(nanoseconds: 13_000)
    history.take(
      .started(AttemptStarted(number: 2, attempt: 1, worker: worker, time: start)),
      at: start
    )
    end(3, 15_000, 20_000)
    let events = try events(history)
    expectTimeline(events)
    let slices = events.filter { $0.phase == "X" && $0.track[0] > 1 }
    #expect(slices.map { [$0.time, $0.duration] } == [[1, 8], [9, 3], [13, 2], [15, 5]])
    #expect(slices[2].arguments["outcome"] as? String == "unfinished")
  }

  @Test("numbers that no run can have are cut")
  func largeNumbers() throws {
    var history = RunHistory()
    history.take(
      .submitted(SubmittedRecord(number: 0, OperationDescription(id: [0x61]), key: nil)),
      at: .zero
    )
    let end = EndRecord(
      number: 0,
      ending: .succeeded,
      attempt: 1,
      worker: WorkerID(rawValue: .max),
      started: Instant(nanoseconds: .min),
      finished: .distantFuture,
      usage: PoolResourceUsage(
        userMicroseconds: .max,
        systemMicroseconds: .max,
        peakMemoryBytes: .max
      )
    )
    history.take(.attemptEnded(end), at: .distantFuture)
    history.take(.settled(end, counts: true), at: .distantFuture)
    expectTimeline(try events(history))
  }

  @Test("a run without operations, and one without anything, have traces")
  func empty() throws {
    #expect(try events(RunHistory()).map(\.name) == ["process_name", "process_sort_index"])
    var run = SyntheticRun()
    run.end()
    expectTimeline(try events(run.history))
  }

  /// `Scripts/verify/traces` looks at 100,000.
  @Test("a large trace comes in pieces of about a megabyte")
  func large() throws {
    let history = SyntheticRun.large(6_000)
    let pieces = try pieces(of: history, [])
    #expect(pieces.count > 1 && pieces.allSatisfy { $0.count < 1_100_000 })
    let events = try events(history)
    expectTimeline(events)
    #expect(events.count { $0.phase == "X" && $0.track[0] > 1 } == 6_000)
  }

  @Test("what cannot be written ends the trace")
  func failure() {
    let report = TraceReport(SyntheticRun.large(6_000), [])
    let error = #expect(throws: SystemFailure.self) {
      try report.write { _ throws(SystemFailure) in throw SystemFailure(call: "write", code: 28) }
    }
    #expect(error?.code == 28)
  }
}

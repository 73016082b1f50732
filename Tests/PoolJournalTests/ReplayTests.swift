import PoolEvents
import PoolModel
import PoolWire
import Testing

@testable import PoolJournal

/// Contract: a journal says what happened in each of its runs, as the run told it.
@Suite("What happened, from a journal")
struct ReplayTests {
  private struct Told {
    var lines: [String] = []
    var records: [RunRecord] = []
    var times: [Instant] = []

    var submitted: [SubmittedRecord] {
      records.compactMap { if case .submitted(let record) = $0 { record } else { nil } }
    }
  }

  /// What the records of these bytes tell, each in a word with its operation.
  private func replay(_ text: JournalBytes) throws -> Told {
    var keys = JournalReplay.Keys()
    let entries = try JournalScan(text.bytes).entries
    for entry in entries { keys.note(entry.record) }
    var replay = JournalReplay(keys)
    var told = Told()
    func tell(_ record: RunRecord, _ time: Instant) {
      told.records.append(record)
      told.times.append(time)
      told.lines.append(Self.words(record))
    }
    for entry in entries {
      replay.take(entry.record, body: { Array(text.bytes[entry.body]) }, tell)
    }
    replay.finish(tell)
    return told
  }

  private static func words(_ record: RunRecord) -> String {
    switch record {
    case .runBegan(let began): "began \(began.process)"
    case .submitted(let one): "submitted \(one.number)"
    case .started(let start): "started \(start.number) \(start.attempt) on \(start.worker)"
    case .attemptEnded(let end): "attempt \(end.number) \(end.attempt) \(end.ending.name)"
    case .retryPlanned(let retry): "retry \(retry.number)"
    case .settled(let end, let counts): "settled \(end.number) \(end.ending.name) \(counts)"
    case .workerGreeted(let worker): "greeted \(worker.worker)"
    case .workerEnded(let worker): "gone \(worker.worker)"
    case .steered: "steered"
    case .halted: "halted"
    case .runEnded(let end): "ended \(end.exitCode)"
    }
  }

  private static func began(_ process: Int32) -> RunRecord {
    .runBegan(
      RunBegan(start: 0, run: [], journal: nil, process: process, boot: nil, folder: nil)
    )
  }

  private static func operation(_ number: Int, _ id: String) -> SubmittedRecord {
    var record = SubmittedRecord(
      number: number,
      OperationDescription(id: Array(id.utf8), command: Array("true".utf8)),
      key: nil
    )
    record.kind = CommandPayload.kind
    return record
  }

  private static func start(_ number: Int, _ attempt: Int, at seconds: Double) -> RunRecord {
    let time = Instant(nanoseconds: .seconds(seconds))
    let worker = WorkerID(rawValue: 7)
    return .started(AttemptStarted(number: number, attempt: attempt, worker: worker, time: time))
  }

  private func time(_ seconds: Double) -> Instant { Instant(nanoseconds: .seconds(seconds)) }

  @Test("an operation that was tried again, one that was skipped, and one that has no end")
  func run() throws {
    var text = JournalBytes.withHeader
    text.append(SampleJournal.opened(1))
    text.append(Self.began(5), at: .zero)
    text.append(Self.start(0, 1, at: 1), at: time(1), describing: Self.operation(0, "a"))
    let failed = EndRecord(number: 0, ending: .failed, cause: .exit, exit: 3, attempt: 1)
    text.append(.attemptEnded(failed), at: time(2))
    let retry = RetryPlanned(number: 0, after: 1, due: nil, because: "exit code 3")
    text.append(.retryPlanned(retry), at: time(2))
    text.append(Self.start(0, 2, at: 3), at: time(3))
    let skipped = EndRecord(number: 1, ending: .skipped, root: EndRecord.Root(0, .failed))
    text.append(.settled(skipped, counts: false), at: time(3), describing: Self.operation(1, "b"))
    let earlier = EndRecord.Earlier(start: nil, duration: .seconds(4))
    let record = EndRecord(number: 0, ending: .succeeded, attempt: 2, earlier: earlier)
    let key = SampleJournal.key("a")
    text.append(.settled(JournalEnd(epoch: 1, key: key, id: [0x61], record)))
    text.append(Self.start(2, 1, at: 8), at: time(8), describing: Self.operation(2, "3"))
    let told = try replay(text)
    #expect(
      told.lines == [
        "began 5", "submitted 0", "started 0 1 on 7", "attempt 0 1 failed", "retry 0",
        "started 0 2 on 7", "submitted 1", "settled 1 skipped false", "attempt 0 2 succeeded",
        "settled 0 succeeded true", "submitted 2", "started 2 1 on 7",
      ]
    )
    #expect(told.times == told.times.sorted())
    guard case .attemptEnded(let end) = told.records[8] else { return }
    #expect(end.executionTime == .seconds(4) && end.started == time(3) && end.exit == 0)
    #expect(told.submitted.map(\.description.id) == [[0x61], [0x62], [0x33]])
  }

  @Test("an attempt that others follow is not told twice if no other has begun")
  func cancelledBefore() throws {
    var text = JournalBytes.withHeader
    text.append(SampleJournal.opened(1))
    text.append(Self.began(5), at: .zero)
    text.append(Self.start(0, 1, at: 1), at: time(1), describing: Self.operation(0, "a"))
    let failed = EndRecord(number: 0, ending: .failed, attempt: 1)
    text.append(.attemptEnded(failed), at: time(2))
    let record = EndRecord(number: 0, ending: .cancelled, attempt: 1)
    text.append(.settled(JournalEnd(epoch: 1, key: SampleJournal.key("a"), id: [0x61], record)))
    #expect(try replay(text).lines.suffix(2) == ["attempt 0 1 failed", "settled 0 cancelled true"])
  }

  @Test("a journal without it tells of owners and outcomes; each run counts for itself")
  func early() throws {
    var text = JournalBytes.withHeader
    let records: [JournalRecord] = [
      SampleJournal.opened(1), SampleJournal.settled("a", 1), .synced(end: 10),
      SampleJournal.opened(2), SampleJournal.opened(3), SampleJournal.settled("b", 3, .failed),
    ]
    for record in records { text.append(record) }
    let told = try replay(text)
    #expect(
      told.lines == [
        "began 7", "submitted 0", "attempt 0 1 succeeded", "settled 0 succeeded true", "began 7",
        "began 7", "submitted 0", "attempt 0 1 failed", "settled 0 failed true",
      ]
    )
    #expect(told.submitted.map(\.description.id) == [[0x61], [0x62]])
  }

  @Test("of an operation with very many dependencies and texts of any length, no edge is lost")
  func long() throws {
    for filler in ["\u{1}", "é", "x"] {
      let long = String(repeating: filler, count: 1 << 14)
      var operation = Self.operation(9, long)
      operation.description.command = Array(long.utf8)
      operation.description.name = Array((long + "n").utf8)
      operation.dependencies = (0..<9_000).map { number in
        SubmittedRecord.Dependency(1_000_000 + number, number % 3 == 0 ? .failed : .succeeded)
      }
      operation.claims = (0..<20).map { _ in SubmittedRecord.Claim(Array(long.utf8), of: 3) }
      var text = JournalBytes.withHeader
      text.append(SampleJournal.opened(1))
      text.append(Self.start(9, 1, at: 1), at: .zero, describing: operation)
      let end = EndRecord(
        number: 9,
        ending: .failed,
        attempt: 1,
        errorType: long,
        message: long
      )
      text.append(.attemptEnded(end), at: .zero)
      let told = try replay(text)
      #expect(told.lines.suffix(2) == ["started 9 1 on 7", "attempt 9 1 failed"])
      let read = try #require(told.submitted.first)
      #expect(Set(read.dependencies) == Set(operation.dependencies))
      #expect(read.dependencies.count == 9_000)
      #expect(long.hasPrefix(String(decoding: read.description.id, as: UTF8.self)))
    }
  }

  @Test("of a compacted journal, operations with long identifiers that begin alike stay apart")
  func cut() throws {
    var text = JournalBytes.withHeader
    text.append(SampleJournal.opened(1))
    for number in 0..<2 {
      let id = [UInt8](repeating: 0x61, count: 2_000) + [UInt8(number)]
      let record = EndRecord(number: number, ending: .succeeded, attempt: 1)
      let key = SampleJournal.key("\(number)")
      text.append(.settled(JournalEnd(epoch: 1, key: key, id: id, record)))
    }
    let told = try replay(text)
    #expect(told.submitted.map(\.number) == [0, 1])
    #expect(
      told.lines.suffix(3) == ["submitted 1", "attempt 1 1 succeeded", "settled 1 succeeded true"]
    )
  }

  @Test("facts change nothing of what a journal says to a resume, and compaction leaves them out")
  func meaningless() throws {
    var text = JournalBytes.withHeader
    text.append(SampleJournal.opened(1))
    text.append(Self.start(0, 1, at: 1), at: time(1), describing: Self.operation(0, "a"))
    text.append(SampleJournal.settled("a", 1))
    text.append(.runEnded(RunEnded(exitCode: 0)), at: time(2))
    var plain = JournalBytes.withHeader
    for record in [SampleJournal.opened(1), SampleJournal.settled("a", 1)] { plain.append(record) }
    let state = JournalState(try JournalScan(text.bytes).entries)
    #expect(state.outcomes.count == 1)
    #expect(try JournalCompaction.compacted(text.bytes) == plain.bytes)
    #expect(try JournalCompaction.salvaged(text.bytes) == text.bytes)
  }
}

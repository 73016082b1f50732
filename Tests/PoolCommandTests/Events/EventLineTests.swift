import PoolEvents
import PoolModel
import PoolTestSupport
import PoolWire
import Testing

@testable import PoolCommand

extension RunRecord {
  private static var time: Instant { Instant(nanoseconds: 1_500_000_000) }

  /// One of each kind, with all fields.
  static var examples: [Self] {
    let began = RunBegan(
      start: 1_700_000_000_000_000_000,
      run: Array("ab".utf8),
      journal: (path: Array("j".utf8), epoch: 2),
      process: 7,
      host: Array("h".utf8),
      boot: nil,
      cores: 4,
      memory: 1_024,
      width: 3,
      delay: 1_500_000_000,
      arguments: [[0xFF]],
      folder: Array("/f".utf8)
    )
    let death = WorkerEnded(
      worker: WorkerID(rawValue: 1),
      process: 8,
      manner: "signal",
      status: .signaled(9),
      message: "was ended by signal 9"
    )
    let retry = RetryPlanned(number: 0, after: 1, due: nil, because: "exit code 3")
    return [
      .runBegan(began), .submitted(submission),
      .started(
        AttemptStarted(number: 0, attempt: 1, worker: WorkerID(rawValue: 1), time: .zero)
      ), .attemptEnded(end), .retryPlanned(retry), .settled(end, counts: true),
      .workerGreeted(
        WorkerGreeted(
          worker: WorkerID(rawValue: 1),
          process: nil,
          configuration: 0,
          place: "ssh box",
          host: "box"
        )
      ), .workerEnded(death),
      .steered(
        RunSteered(.cancel(RunSteered.CancelledTargets([4], count: 3, skipped: 2)), by: asker)
      ),
      .halted(RunHalted(policy: "now,fail=1", failed: 1, succeeded: 0)),
      .runEnded(RunEnded(exitCode: 1)),
    ]
  }

  private static var asker: RunSteered.Asker {
    RunSteered.Asker(user: 0, process: 17, command: Array("opool".utf8))
  }

  private static var submission: SubmittedRecord {
    var record = SubmittedRecord(
      number: 1,
      OperationDescription(id: Array("b".utf8), command: [0x80]),
      key: Array("k".utf8)
    )
    record.dependencies = [SubmittedRecord.Dependency(0, .succeeded)]
    record.claims = [SubmittedRecord.Claim(Array("disk".utf8), of: 2, isExclusive: true)]
    return record
  }

  private static var end: EndRecord {
    EndRecord(
      number: 0,
      ending: .failed,
      cause: .exit,
      root: EndRecord.Root(4, .failed),
      exit: 3,
      attempt: 1,
      worker: WorkerID(rawValue: 1),
      queued: .zero,
      started: Instant(nanoseconds: 1_000_000_000),
      finished: time,
      outputByteCount: 5,
      message: "exit code 3"
    )
  }
}

/// Contract: what a line of `--events` says.
@Suite("Lines of events")
struct EventLineTests {
  private static let ending =
    #""outcome":"failed","cause":"exit","exit":3,"signal":null,"errorType":null,"errorCode":null,"#
    + #""message":"exit code 3","#

  private static let expected = [
    #"{"type":"runBegan","at":2.000000,"format":1,"version":"\#(PackageVersion.text)","run":"ab","#
      + #""journal":"j","epoch":2,"startedAt":1700000000.000000,"pid":7,"host":"h","boot":null,"#
      + #""cores":4,"memory":1024,"width":3,"delay":1.500000,"arguments":[{"base64":"/w=="}],"folder":"/f"}"#,
    #"{"type":"submitted","at":2.000000,"operation":2,"id":"b","key":"k","name":"b","members":null,"#
      + #""line":null,"kind":null,"command":{"base64":"gA=="},"input":null,"inputs":null,"group":null,"#
      + #""dependencies":[{"operation":1,"requirement":"succeeded"}],"#
      + #""claims":[{"name":"disk","units":2,"exclusive":true}],"slots":1,"priority":"normal","barrier":false,"#
      + #""timeout":null,"retries":0,"expected":null}"#,
    #"{"type":"started","at":2.000000,"operation":1,"attempt":1,"worker":1}"#,
    #"{"type":"attemptEnded","at":2.000000,"operation":1,"attempt":1,"worker":1,"started":1.000000,"#
      + #""elapsed":0.500000,"# + ending + #""usage":null,"stdoutBytes":5,"stderrBytes":0}"#,
    #"{"type":"retryPlanned","at":2.000000,"operation":1,"attempt":1,"due":null,"reason":"exit code 3"}"#,
    #"{"type":"settled","at":2.000000,"operation":1,"# + ending
      + #""root":5,"rootOutcome":"failed","attempts":1,"ready":0.000000,"counts":true,"resumed":false,"#
      + #""earlierStartedAt":null,"earlierElapsed":null}"#,
    #"{"type":"workerGreeted","at":2.000000,"worker":1,"pid":null,"configuration":0,"#
      + #""place":"ssh box","host":"box"}"#,
    #"{"type":"workerEnded","at":2.000000,"worker":1,"pid":8,"manner":"signal","exit":null,"signal":9,"#
      + #""message":"was ended by signal 9"}"#,
    #"{"type":"steered","at":2.000000,"action":"cancel","user":0,"pid":17,"command":"opool","#
      + #""operations":[5],"cancelled":3,"skipped":2,"width":null,"before":null}"#,
    #"{"type":"halted","at":2.000000,"policy":"now,fail=1","failed":1,"succeeded":0}"#,
    #"{"type":"runEnded","at":2.000000,"exit":1}"#,
  ]

  @Test("each kind of record has its line")
  func lines() {
    var writer = JSONWriter()
    for record in RunRecord.examples {
      record.append(to: &writer, at: Instant(nanoseconds: 2_000_000_000))
    }
    let lines = String(decoding: writer.bytes, as: UTF8.self).split(separator: "\n")
    #expect(lines.map { String($0) } == Self.expected)
    #expect(Self.expected[0].hasPrefix(String(decoding: RunRecord.fileStart, as: UTF8.self)))
  }

  @Test("a line is read as the record that it was, and one of a later version is left out")
  func read() throws {
    let time = Instant(nanoseconds: 2_000_000_000)
    for record in RunRecord.examples {
      var (one, other) = (JSONWriter(), JSONWriter())
      record.append(to: &one, at: time)
      let line = try #require(try EventLine(one.bytes[...]))
      #expect(line.time == time)
      line.record.append(to: &other, at: time)
      #expect(
        String(decoding: other.bytes, as: UTF8.self) == String(decoding: one.bytes, as: UTF8.self)
      )
    }
    #expect(try EventLine(Array(#"{"type":"laterKind","at":1.0}"#.utf8)[...]) == nil)
    let began = #"{ "type": "runBegan", "pid": 1, "width": W }"#
    #expect(try EventLine(Array(began.replacing("W", with: "10000").utf8)[...]) != nil)
    for width in ["0", "-5", "10001", "1000000000000"] {
      #expect(throws: JSONError.self) {
        try EventLine(Array(began.replacing("W", with: width).utf8)[...])
      }
    }
    for fields in [#""slots":0"#, #""slots":1000000001"#] {
      let line = #"{"type":"submitted","operation":1,"# + fields + "}"
      #expect(throws: JSONError.self) { try EventLine(Array(line.utf8)[...]) }
    }
    for fields in [#""elapsed":-7"#, #""started":-1"#, #""attempts":4611686018427387904"#] {
      let line = #"{"type":"settled","operation":1,"outcome":"failed","# + fields + "}"
      #expect(throws: JSONError.self) { try EventLine(Array(line.utf8)[...]) }
    }
    for text in ["", "{}", "[1]", #"{"type":"settled","at":1.0,"operation":0}"#, "nonsense"] {
      #expect(throws: JSONError.self) { try EventLine(Array(text.utf8)[...]) }
    }
  }

  @Test("times are the nearest microseconds, however they are written")
  func times() throws {
    func nanoseconds(_ text: String) throws -> Int64? {
      let line = #"{"type":"runEnded","exit":0,"at":"# + text + "}"
      return try EventLine(Array(line.utf8)[...])?.time.nanoseconds
    }
    for text in ["0", "-0", "-0.5", "1e3", "1.5E-3", "12.3456785", "4611686018.427387"] {
      let seconds = try #require(Double(text))
      #expect(try nanoseconds(text) == Int64((seconds * 1e6).rounded()) * 1_000)
    }
    for seed in RandomSeeds.first(500) {
      var generator = SeededGenerator(seed: seed)
      let whole = Int64.random(in: 0...4_000_000_000, using: &generator)
      let shift = Int64.random(in: 0...31, using: &generator)
      let decimals = (0..<Int.random(in: 1...9, using: &generator)).map { _ in
        String(Int.random(in: 0...9, using: &generator))
      }
      let sign = Bool.random(using: &generator) ? "-" : ""
      let text = sign + "\(whole >> shift)." + decimals.joined()
      let seconds = try #require(Double(text))
      #expect(
        try nanoseconds(text) == Int64((seconds * 1e6).rounded()) * 1_000,
        "seed \(seed): \(text)"
      )
    }
    for text in ["true", "[1]", #""1.5""#, "1e300", "9007199254.740992"] {
      #expect(throws: JSONError.self) { try nanoseconds(text) }
    }
  }

  @Test("of fields with one name the first counts, and names may have escapes")
  func names() throws {
    let line = #"{"type":"runEnded","\u0065xit":3,"exit":4,"exitt":5}"#
    guard case .runEnded(let ended)? = try EventLine(Array(line.utf8)[...])?.record else {
      Issue.record("no end of a run")
      return
    }
    #expect(ended.exitCode == 3)
  }

  @Test("the short form of a journal is read as the record that it was")
  func short() throws {
    let time = Instant(nanoseconds: 2_000_000_000)
    for record in RunRecord.examples {
      var writer = JSONWriter()
      record.append(shortTo: &writer, at: time)
      let read = try ShortRecord(writer.bytes[...])
      #expect(read.time == time && !read.isPartial)
      #expect(!String(decoding: writer.bytes, as: UTF8.self).contains("null"))
      var (one, other) = (JSONWriter(), JSONWriter())
      record.withoutKey.append(to: &one, at: time)
      (read.record ?? read.operation.map { .submitted($0) })?.append(to: &other, at: time)
      #expect(
        String(decoding: other.bytes, as: UTF8.self) == String(decoding: one.bytes, as: UTF8.self)
      )
    }
  }
}

extension RunRecord {
  /// The record as a journal has it, which has the key elsewhere.
  fileprivate var withoutKey: Self {
    guard case .submitted(var record) = self else { return self }
    (record.key, record.kind) = (nil, CommandPayload.kind)
    return .submitted(record)
  }
}

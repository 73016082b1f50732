import PoolTestSupport
import Testing

/// `opool journal export --events`: what happened in the runs of a journal, when they are over.
@Suite("Events of a journal", .timeLimit(.minutes(10)))
struct JournalEventsTests {
  private func exported(_ run: OpoolRun, isWhole: Bool = true) throws -> EventLog {
    let log = try EventLog(run.folder.bytes(of: "exported"))
    log.expectConsistent(isWhole: isWhole)
    return log
  }

  private static let lines = [
    #"{"id":"a","shell":"true","group":"g"}"#,
    #"{"id":"b","shell":"test -e b || { touch b; exit 3; }","after":["a"],"retries":2}"#,
    #"{"id":"c","shell":"exit 4","after":["b"],"group":"g"}"#,
    #"{"id":"d","shell":"true","after":["c"]}"#,
    #"{"id":"e","shell":"true","after":[{"id":"b","when":"failed"}]}"#,
    #"{"id":"f","shell":"kill -9 $PPID; sleep 60","after":["d"],"exclusive":["x"],"retries":1}"#,
    #"{"id":"h","shell":"test -e h || { touch h; kill -9 $PPID; sleep 60; }","retries":1}"#,
  ]

  /// What a line says beside its time, with what only one of two ways to write it can know left
  /// out.
  private static func fact(_ line: EventLine) -> String {
    var line = line
    (line.at, line.started, line.elapsed) = (0, nil, nil)
    return "\(line)"
  }

  @Test("they are those that --events wrote: attempts with workers and causes, edges, retries")
  func same() throws {
    let script = """
      opool run -q -j2 --journal j --events events m; opool journal export --events j > exported
      """
    let opool = try Opool.shell(script)
    try opool.folder.write(Array(Self.lines.joined(separator: "\n").utf8), to: "m")
    let run = try opool.run()
    let (told, kept) = (try EventLog(run.folder.bytes(of: "events")), try exported(run))
    for type in [
      "runBegan", "started", "attemptEnded", "retryPlanned", "settled", "submitted",
      "workerGreeted", "workerEnded", "runEnded",
    ] {
      let one = Set(told.all(type).map(Self.fact))
      #expect(Set(kept.all(type).map(Self.fact)) == one, "\(type)")
      #expect(kept.all(type).count == told.all(type).count)
    }
    for (one, other) in zip(
      told.all("attemptEnded").sorted {
        ($0.operation ?? 0, $0.attempt ?? 0) < ($1.operation ?? 0, $1.attempt ?? 0)
      },
      kept.all("attemptEnded").sorted {
        ($0.operation ?? 0, $0.attempt ?? 0) < ($1.operation ?? 0, $1.attempt ?? 0)
      }
    ) {
      #expect(abs((one.elapsed ?? -1) - (other.elapsed ?? -2)) < 0.000_002)
    }
  }

  @Test("a run that was killed has starts without ends, and no end; the next one has its own")
  func killed() throws {
    let script = """
      opool map -q -j2 --journal j 'touch {}; sleep 60' ::: a b & p=$!
      until test -e a && test -e b && opool journal export j | grep -c '"type":"started"' | grep -q 2
      do sleep 0.05; done
      kill -9 $p
      opool map -q -j2 --journal j --resume true ::: c
      opool journal export --events j > exported
      """
    let log = try exported(Opool.shell(script).run(), isWhole: false)
    #expect(log.all("runBegan").map(\.epoch) == [1, 2])
    #expect(log.runs[0].filter { $0.type == "started" }.compactMap(\.operation).sorted() == [1, 2])
    #expect(!log.runs[0].contains { ["attemptEnded", "settled", "runEnded"].contains($0.type) })
    #expect(log.runs[1].last?.type == "runEnded")
  }

  @Test("journals of earlier versions tell of owners and outcomes", arguments: ["first", "map"])
  func early(name: String) throws {
    let opool = try Opool.shell("opool journal export --events j > exported")
    try opool.folder.write(EarlierJournalTests.golden(name + ".journal"), to: "j")
    let log = try EventLog(opool.run().expect().folder.bytes(of: "exported"))
    #expect(log.lines.first?.type == "runBegan")
    #expect(log.all("settled").count == log.all("submitted").count && !log.all("settled").isEmpty)
    #expect(log.all("attemptEnded").allSatisfy { $0.worker == nil && $0.started == nil })
  }

  @Test("a file of that name is exported with its folder's name; --events is for exports only")
  func arguments() throws {
    let opool = try Opool.shell(
      "opool map -q --journal=./--events true ::: a; opool journal export --events ./--events"
    )
    let log = try EventLog(Array(opool.run().stdout.utf8))
    #expect(log.all("settled").count == 1)
    try Opool("journal", "verify", "--events", "j").run().expect("", exit: 2)
  }

  @Test("an operation that is cancelled between two attempts has one end of the first, in both")
  func delayed() throws {
    let script = """
      opool map -q --journal j --events events --retries 1 --retry-delay 1h --deadline 6s 'exit 3' ::: a
      opool journal export --events j > exported
      """
    let run = try Opool.shell(script).run()
    let told = try EventLog(run.folder.bytes(of: "events"))
    told.expectConsistent()
    for log in [told, try exported(run)] {
      #expect(log.all("attemptEnded").map(\.outcome) == ["failed"])
      #expect(log.all("settled").map(\.outcome) == ["cancelled"])
    }
  }

  @Test("an outcome of an earlier run is none of a run that ends before its turn")
  func cancelledResumption() throws {
    let script = """
      echo '{"id":"b","run":["true"]}' | opool run -q --journal j -
      printf '%s\\n' '{"id":"w","run":["sleep","60"],"barrier":true}' '{"id":"b","run":["true"]}' \
        | opool run -q --journal j --resume --events events --deadline 6s -
      opool journal export --events j > exported
      """
    let run = try Opool.shell(script).run()
    let told = try EventLog(run.folder.bytes(of: "events"))
    told.expectConsistent()
    let end = try #require(told.all("settled").first { $0.operation == 2 })
    #expect(end.outcome == "cancelled" && end.attempts == 0 && end.cause == "cancelled")
    let log = try exported(run, isWhole: false)
    #expect(log.runs[1].filter { $0.type == "settled" }.map(\.operation) == [1])
  }

  @Test("operations are told apart whose names begin with the same 2 KiB; no key is made up")
  func longNames() throws {
    let name = String(repeating: "n", count: 2_000)
    let lines = (1...3).map {
      #"{"id":"\#(name)\#($0)","shell":"exit \#($0)","group":"\#(name)g"}"#
    }
    let opool = try Opool.shell(
      "opool run -q -j1 --journal j m; opool journal export --events j > exported"
    )
    try opool.folder.write(Array(lines.joined(separator: "\n").utf8), to: "m")
    let log = try exported(opool.run())
    #expect(log.all("settled").compactMap(\.exit).sorted() == [1, 2, 3])
    let ends = log.all("settled").filter { $0.exit != nil }
    #expect(ends.allSatisfy { $0.exit == Int32($0.operation ?? 0) })
  }
}

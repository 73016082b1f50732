import PoolTestSupport
import Testing

/// `--events`: every fact of a run, in the order in which things happened.
@Suite("Events", .timeLimit(.minutes(10)))
struct EventsTests {
  private func events(_ run: OpoolRun, isWhole: Bool = true) throws -> EventLog {
    let log = try EventLog(run.folder.bytes(of: "events"))
    log.expectConsistent(isWhole: isWhole)
    return log
  }

  @Test(
    "each attempt has its start, its end, its worker and its cause; what was skipped has its root"
  )
  func attempts() throws {
    let lines = [
      #"{"id":"a","shell":"true","group":"g"}"#,
      #"{"id":"b","shell":"test -e b || { touch b; exit 3; }","after":["a"],"retries":2}"#,
      #"{"id":"c","shell":"exit 4","after":["b"],"group":"g"}"#,
      #"{"id":"d","shell":"true","after":["c"]}"#,
      #"{"id":"e","shell":"true","after":[{"id":"b","when":"failed"}]}"#,
    ]
    let run = try Opool("run", "-q", "--events", "events", "-").stdin(lines.joined(separator: "\n"))
      .run().expect("", exit: 1)
    let log = try events(run)
    let submitted = log.all("submitted")
    #expect(submitted.map(\.id) == ["a", "b", "c", "d", "e", "g"])
    #expect(submitted.map(\.group) == [6, nil, 6, nil, nil, nil])
    #expect(submitted.last?.members == 2)
    #expect(submitted[2].dependencies?.map(\.operation) == [2])
    #expect(submitted[4].dependencies?.map(\.requirement) == ["failed"])
    let ends = log.all("attemptEnded").filter { $0.operation == 2 }
    #expect(ends.map(\.attempt) == [1, 2])
    #expect(ends.map(\.outcome) == ["failed", "succeeded"])
    #expect(ends.map(\.cause) == ["exit", nil])
    #expect(ends.map(\.exit) == [3, 0])
    #expect(ends.allSatisfy { $0.worker != nil && ($0.elapsed ?? 0) > 0 })
    let retry = try #require(log.all("retryPlanned").first)
    #expect(retry.reason == "exit code 3")
    #expect(try #require(ends[1].started) >= #require(retry.due))
    let settled = log.all("settled").sorted { ($0.operation ?? 0) < ($1.operation ?? 0) }
    #expect(
      settled.map(\.outcome) == [
        "succeeded", "succeeded", "failed", "skipped", "skipped", "failed",
      ]
    )
    #expect(settled.map(\.root) == [nil, nil, nil, 3, 2, 3])
    #expect(settled.map(\.rootOutcome) == [nil, nil, nil, "failed", "succeeded", "failed"])
    #expect(log.lines.last?.exit == 1)
  }

  @Test(
    "with a journal, too, an operation starts behind the end of the one before",
    arguments: [0, 1]
  )
  func order(hasFolder: Int) throws {
    let results = hasFolder == 1 ? "--results R/" : ""
    let script =
      "seq 300 | opool map -q -j1 --journal j --durability operation \(results) --events events true"
    let log = try events(try Opool.shell(script).run().expect(stderr: ""))
    var executing: Int?
    for line in log.lines {
      if line.type == "started" {
        #expect(executing == nil, "\(line.word)")
        executing = line.operation
      } else if line.type == "attemptEnded" {
        #expect(executing == line.operation)
        executing = nil
      }
    }
    #expect(log.all("settled").count == 300)
  }

  @Test("what happens while a large output is being stored is told behind its operation's end")
  func storage() throws {
    let arguments = ["map", "-q", "-j1", "--results", "R/", "--events", "events"]
    let command = ": {}; head -c 30000000 /dev/zero"
    let run = try Opool(arguments + [command] + [":::", "1", "2", "3"]).run().expect("", stderr: "")
    #expect(try events(run).all("settled").map(\.operation) == [1, 2, 3])
  }

  @Test("an operation that is cancelled before its next attempt has one end of the attempt before")
  func delayed() throws {
    let arguments = ["map", "-q", "--events", "events", "--retries", "1", "--retry-delay", "1h"]
    let run = try Opool(arguments + ["--deadline", "6s", "exit 3", ":::", "a"]).run()
      .expect(exit: 124)
    let log = try events(run)
    #expect(log.all("attemptEnded").map(\.outcome) == ["failed"])
    #expect(log.all("settled").map(\.outcome) == ["cancelled"])
  }

  @Test("a worker that is killed, and what it executed, have their records")
  func deaths() throws {
    let script = #"test -e {} || { touch {}; kill -9 $PPID; sleep 60; }"#
    let arguments = ["map", "-q", "-j2", "--retries", "1", "--events", "events", script]
    let run = try Opool(arguments + [":::", "a", "b", "c"]).run().expect("", stderr: "")
    let log = try events(run)
    let lost = log.all("attemptEnded").filter { $0.attempt == 1 }
    #expect(lost.map(\.outcome) == ["lost", "lost", "lost"])
    #expect(lost.map(\.cause) == ["workerDied", "workerDied", "workerDied"])
    let killed = log.all("workerEnded").filter { $0.manner == "signal" && $0.signal == 9 }
    #expect(Set(killed.map(\.worker)) == Set(lost.map(\.worker)))
    #expect(log.all("settled").map(\.attempts) == [2, 2, 2])
  }

  @Test("a run that is halted, and one that is cancelled, say so, and account for everything")
  func ended() throws {
    let arguments = ["map", "-q", "-j1", "--events", "events", "--halt", "now,fail=1", "exit {}"]
    let run = try Opool(arguments + [":::", "0", "7", "0", "0"]).run().expect(exit: 1)
    let log = try events(run)
    #expect(log.all("halted").map(\.policy) == ["now,fail=1"])
    #expect(log.all("settled").map(\.outcome) == ["succeeded", "failed", "cancelled", "cancelled"])
    #expect(log.lines.last?.exit == 1)

    let deadline = ["map", "-q", "-j2", "--events", "events", "--deadline", "6s", "sleep {}"]
    let late = try Opool(deadline + [":::", "60", "61", "62", "63"]).run().expect(exit: 124)
    let last = try events(late)
    #expect(last.all("settled").allSatisfy { $0.outcome == "cancelled" })
    #expect(last.all("settled").count == 4)
    #expect(last.lines.last?.exit == 124)
  }

  @Test("an existing file is refused, and left as it is; an empty one is not")
  func existing() throws {
    let opool = try Opool("map", "-q", "--events", "events", "true", ":::", "a")
    try opool.folder.write(Array("mine\n".utf8), to: "events")
    let run = try opool.run().expect("", exit: 5)
    #expect(
      run.stderr
        == "opool: events: it exists already; name another file for the events, or continue it with --resume\n"
    )
    #expect(run.folder.text(of: "events") == "mine\n")
    try opool.folder.write([], to: "events")
    #expect(try events(opool.run().expect("", stderr: "")).all("settled").count == 1)
  }

  @Test("--resume continues a file behind its last whole line; a foreign file is refused")
  func resumed() throws {
    let opool = try Opool.shell("opool map -q --journal j --events events 'exit {}' ::: 0 3")
    let first = try events(opool.run().expect(exit: 1))
    let whole = opool.folder.bytes(of: "events")
    try opool.folder.write(whole + Array(#"{"type":"settl"#.utf8), to: "events")
    let again = opool.again(
      shell: "opool map -q --journal j --resume-failed --events events 'exit {}' ::: 0 3"
    )
    let both = try events(again.run().expect(exit: 1))
    #expect(opool.folder.bytes(of: "events").starts(with: whole))
    #expect(both.runs.count == 2)
    #expect(both.lines.map(\.word).starts(with: first.lines.map(\.word)))
    #expect(both.all("runBegan").map(\.epoch) == [1, 2])
    #expect(Set(both.all("runBegan").map(\.run)).count == 1)
    let second = both.runs[1]
    let settled = second.filter { $0.type == "settled" }
    #expect(Dictionary(settled.map { ($0.operation, $0.resumed) }) { $1 } == [1: true, 2: false])
    #expect(second.filter { $0.type == "attemptEnded" }.map(\.operation) == [2])

    try opool.folder.write(Array("mine\n".utf8), to: "events")
    let refused = try again.run().expect("", exit: 5)
    refused.says("events: it is not continued, since it does not begin as the events do")
    #expect(opool.folder.text(of: "events") == "mine\n")
  }

  @Test("an inherited descriptor takes them, where it is open for writing")
  func descriptors() throws {
    let opool = try Opool.shell("opool map -q --events fd:7 true ::: a 7>events")
    #expect(try events(opool.run().expect("", stderr: "")).all("settled").count == 1)
    let pipe = opool.again(shell: "opool map -q --events fd:7 true ::: a 7>&1 | cat > events")
    #expect(try events(pipe.run().expect("", stderr: "")).all("settled").count == 1)
    for redirection in ["9>&-", "9<."] {
      let script = "opool map -q --events fd:9 touch ::: a \(redirection)"
      let run = try opool.again(shell: script).run().expect("", exit: 2)
      run.says("opool: --events fd:9: the descriptor is not open for writing")
      #expect(try !run.folder.names().contains("a"))
    }
    let word = try opool.again(shell: "opool map --events fd:x true ::: a").run().expect(
      "",
      exit: 2
    )
    word.says("fd: needs the number of a descriptor")
  }

  @Test("the standard output takes them to the last one")
  func output() throws {
    let run = try Opool("map", "-q", "--events", "-", "echo {}", ":::", "a", "b").run()
      .expect(stderr: "")
    let lines = run.stdout.split(separator: "\n")
    let log = try EventLog(Array(lines.filter { $0.hasPrefix("{") }.joined(separator: "\n").utf8))
    log.expectConsistent()
    #expect(Set(lines.filter { !$0.hasPrefix("{") }) == ["a", "b"])
    #expect(log.lines.last?.exit == 0)
  }

  @Test("a write that fails is told, and the exit code is 5")
  func full() throws {
    let run = try Opool("map", "-q", "--events", "/dev/full", "true", ":::", "a").run()
      .expect("", exit: 5)
    run.says("opool: /dev/full: No space left on device")
  }

  /// They are more than a pipe holds.
  @Test(
    "a reader that does not read is waited for until the deadline, or a signal, which the exit code tells"
  )
  func unread() throws {
    let opool = try Opool.shell(
      """
      mkfifo pipe; sleep 60 <pipe & reader=$!
      opool map -q --deadline 6s --events pipe true ::: $(seq 500); code=$?
      kill $reader; exit $code
      """
    )
    let late = try opool.run().expect("", exit: 124)
    late.says("opool: pipe: not all lines of the events were written: they are not read")
  }

  @Test("a coordinator that is killed leaves whole lines, and no end")
  func killed() throws {
    let run = try Opool.shell(
      """
      opool map -q -j1 --events events 'echo; touch {}; sleep 60' ::: a & pid=$!
      until test -e a && grep -q '"started"' events; do sleep 0.05; done
      kill -9 $pid; wait $pid
      """
    ).run()
    let log = try EventLog(run.folder.bytes(of: "events"))
    log.expectConsistent(isWhole: false)
    #expect(log.all("runEnded").isEmpty)
    #expect(log.all("started").count == 1)
  }
}

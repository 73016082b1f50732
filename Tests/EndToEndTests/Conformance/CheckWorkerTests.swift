import PoolSystem
import PoolTestSupport
import Testing

/// Contract: each fault of a worker fails its own case and no other, and our workers have none.
@Suite("opool check-worker")
struct CheckWorkerTests {
  /// What is wrong with a worker, and the case that notices it.
  private static let faults = [
    ("noLineFeed", "rule-line-feed"), ("answersTwice", "rule-one-answer"),
    ("finishesUnstarted", "rule-executing-first"), ("beginsTwo", "rule-one-at-a-time"),
    ("losesDigits", "large-numbers"), ("stopsAtUnknownType", "unknown-type"),
    ("strayPrint", "prints"), ("ignoresCancel", "cancel-executing"),
    ("executesCancelled", "cancel-prefetched"), ("returnsExecuting", "recall-executing"),
    ("staysAtEnd", "end-idle"), ("waitsForWelcome", "hello"), ("silentWhileExecuting", "ping"),
    ("lastFirst", "rule-order"), ("diesAtLateCancel", "late-requests"),
    ("breaksAtFragments", "fragments"), ("forgivesLine", "no-line-feed"),
    ("leavesChild", "end-executing"), ("forgetsPrefetched", "drain-prefetched"),
    ("stopsAtUnknownKind", "unknown-kind"), ("reportsLate", "rule-reports"),
    ("lacksField", "rule-validity"), ("greetsTwice", "rule-greeting"),
    ("uninvitedFile", "rule-files"), ("diesWithFailure", "fails"),
    ("smallFrames", "large-payload"), ("forgivesLength", "too-long"),
    ("forgivesCut", "cut-frame"), ("forgivesText", "not-json"), ("forgivesTypeless", "no-type"),
    ("takesNull", "null-fields"), ("demandsKnownFields", "unknown-fields"),
    ("refusesInputs", "optional-fields"), ("refusesEscapes", "foreign-json"),
    ("shallow", "deep-payload"), ("staysAtDrain", "drain"), ("returnsUnasked", "rule-asked"),
  ]

  private func check(_ fault: String) throws -> OpoolRun {
    try Opool(
      "check-worker",
      "--succeeds",
      #""ok""#,
      "--fails",
      #""fail""#,
      "--lasts",
      #""last""#,
      "--prints",
      #""print""#,
      "--",
      "broken-worker",
      fault
    ).run()
  }

  /// The names of the cases that have failed.
  private func failed(_ run: OpoolRun) -> [String] {
    run.stdout.matches(of: /not ok \d+ - ([a-z0-9-]+):/).map { String($0.1) }
  }

  @Test("A fault fails its own case, and no other", arguments: faults)
  func fault(_ fault: String, _ name: String) throws {
    let run = try check(fault).expect(stderr: "", exit: 1)
    #expect(failed(run) == [name], "\(fault): \(run.stdout)")
  }

  @Test("A worker without a fault passes all cases, and of what it does not offer none is judged")
  func faultless() throws {
    let run = try check("none").expect(stderr: "")
    #expect(run.stdout.hasPrefix("TAP version 14\n1..52\nok 1 - hello: "))
    #expect(run.stdout.contains("\n# 42 passed, 0 failed, 10 skipped\n# minimal profile: passes\n"))
    #expect(run.stdout.contains(" # SKIP the worker does not offer tail\n"))
  }

  @Test("A failure shows the frame and the sentence of the protocol that it breaks")
  func explanation() throws {
    let run = try check("losesDigits").expect(exit: 1)
    for line in [
      #"  frame: "< finished {\"type\":\"finished\",\"operation\":18446744073709551615,"#
        + #"\"dispatch\":9007199254740992,\"result\":[1]}""#,
      #"  section: "Protocol/README.md, §3""#,
      #"    - "> execute {\"type\":\"execute\",\"operation\":18446744073709551615,"#,
      "Numbers above 2^53 do occur.",
    ] {
      #expect(run.stdout.contains(line), "\(line)\n\(run.stdout)")
    }
  }

  @Test("The standard worker passes every case")
  func standardWorker() throws {
    let run = try Opool(
      "check-worker",
      "--succeeds",
      #"{"run": ["true"]}"#,
      "--fails",
      #"{"run": ["false"]}"#,
      "--lasts",
      #"{"run": ["sleep", "60"]}"#,
      "--prints",
      #"{"run": ["echo", "text"]}"#,
      "opool-worker"
    ).run().expect(stderr: "")
    #expect(run.stdout.contains("\n# 52 passed, 0 failed, 0 skipped\n"), "\(run.stdout)")
  }

  @Test("A worker with types of operations passes, each case with a kind of its own")
  func typedWorker() throws {
    let run = try Opool(
      "check-worker",
      "--kind",
      "echo",
      "--succeeds",
      #""abc""#,
      "--fails",
      "throw:{}",
      "--lasts",
      "untilCancelled:{}",
      "--prints",
      "print:{}",
      "--",
      "env",
      "OPOOL_WORKER=1",
      "test-worker"
    ).run().expect(stderr: "")
    #expect(run.stdout.contains("\n# 48 passed, 0 failed, 4 skipped\n"), "\(run.stdout)")
  }

  @Test("A program that is its own worker passes")
  func example() throws {
    let run = try Opool(
      "check-worker",
      "--succeeds",
      #"{"range": [0, 9]}"#,
      "--",
      "env",
      "OPOOL_WORKER=1",
      "example-primes"
    ).run().expect(stderr: "")
    #expect(run.stdout.contains(", 0 failed, "), "\(run.stdout)")
  }

  @Test("The worker of the protocol's folder passes the minimal profile", .needsPython)
  func python() throws {
    let run = try Opool.shell(
      """
      opool check-worker --kind reverse --succeeds '"abc"' --fails 3 -- python3 "$PYTHON_WORKER"
      """
    ).run().expect(stderr: "")
    #expect(run.stdout.contains("\n# minimal profile: passes (1 case skipped)\n"))
    #expect(run.stdout.contains("\n# full profile: no capability offered\n"))
  }

  @Test("A command that cannot be started, and a kind that is not served, end the report")
  func refusals() throws {
    try Opool("check-worker", "/none/such").run().expect(
      "TAP version 14\n1..52\n"
        + "Bail out! the worker cannot be started: /none/such: No such file or directory\n",
      stderr: "opool: the worker cannot be started: /none/such: No such file or directory\n",
      exit: 4
    )
    let run = try Opool("check-worker", "--kind", "play", "broken-worker").run().expect(exit: 2)
      .says("opool: the worker does not serve the kind 'play', but 'work'\n")
    #expect(
      run.stdout.hasSuffix("Bail out! the worker does not serve the kind 'play', but 'work'\n")
    )
    try Opool("check-worker").run().expect("", exit: 2).says("opool check-worker -- COMMAND…")
    try Opool("check-worker", "--lasts", "k:", "true").run().expect("", exit: 2)
      .says("--lasts needs JSON")
  }

  @Test("A signal ends the worker with what it has started, and then the check")
  func interruption() throws {
    let steps = #"""
      [{"greet": {}},
      {"send": {"type": "execute", "operation": 1, "dispatch": 1, "kind": "$kind",
        "payload": "$lasts"}},
      {"expect": {"type": "finished"}, "within": 60}]
      """#
    let opool = try Opool(
      "check-worker",
      "--cases",
      ".",
      "--lasts",
      #""last""#,
      "broken-worker",
      "leavesChild"
    ).environment("READY", "ready")
      .file("a.json", #"{"title": "t", "section": "1", "paragraph": "p", "steps": \#(steps)}"#)
    try opool.folder.makePipe("ready")
    let running = try opool.start()
    _ = try running.read(pipe: "ready")
    running.signal(.interrupt)
    let run = try running.wait()
    #expect(run.stdout.hasSuffix("Bail out! interrupted\n"))
    run.expect(stderr: "", exit: 130)
  }

  @Test("A folder's case that is none is named with the reason, before any worker starts")
  func wrongCase() throws {
    try Opool.shell("mkdir c; echo '{}' > c/a.json; opool check-worker --cases c true").run()
      .expect("", stderr: "opool: c/a.json: title: no text\n", exit: 5)
  }
}

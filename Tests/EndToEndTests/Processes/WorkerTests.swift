import PoolModel
import PoolTestSupport
import Testing

/// Workers of the user's own.
@Suite("--worker")
struct WorkerTests {
  private static let python = "1:python3 \"$PYTHON_WORKER\""
  private static let testWorker = "env OPOOL_WORKER=1 test-worker"

  /// Results come back, and commands are executed by standard workers beside it.
  @Test("A worker in Python serves its kinds, and standard workers the commands", .needsPython)
  func python() throws {
    let manifest = """
      {"id": "r", "kind": "reverse", "payload": "abc"}
      {"id": "s", "kind": "sum", "payload": [1, 2, 39], "after": ["r"]}
      {"id": "f", "kind": "fail", "payload": "no"}
      {"id": "c", "shell": "echo command", "after": ["s"]}
      """
    let run = try Opool("run", "--worker", Self.python, "--results", "results").stdin(manifest)
      .run().expect("command\n", exit: 1).says("-:3: f: failed: no\n")
    let results = try run.resultsByID()
    #expect(
      results.mapValues(\.ending) == [
        "r": "succeeded", "s": "succeeded", "f": "failed error", "c": "succeeded",
      ]
    )
    #expect(results["r"]?.exit == nil && results["f"]?.exit == nil && results["c"]?.exit == 0)
    #expect(results["r"]?.result?.text == "cba" && results["s"]?.result?.text == "42")
  }

  /// The parent of each command is the user's worker.
  @Test("Standard workers do not join where the user's serve commands")
  func ownCommandWorkers() throws {
    let run = try Opool(
      "map",
      "--worker",
      "1:env MINE=yes opool-worker",
      "-j4",
      "--results",
      "results",
      "echo {} $MINE",
      ":::",
      "1",
      "2",
      "3"
    ).run().expect()
    #expect(run.stdout.split(separator: "\n").allSatisfy { $0.hasSuffix(" yes") })
    #expect(try Set(run.results().map(\.worker)) == [1])
  }

  /// A container's entrypoint: its workers' parent has the number of a dead parent's successor.
  @Test(
    "As process 1, it has its workers as elsewhere",
    .enabled(if: Self.canBeFirst, "namespaces for users and processes cannot be made here")
  )
  func firstProcess() throws {
    let line = "exec unshare -rpf --mount-proc --kill-child opool run --results results"
    try Opool.shell("\(line) --worker '1:\(Self.testWorker)' -")
      .stdin(#"{"kind": "noop"}"#).run().expect("")
  }

  static let canBeFirst: Bool = {
    let run = try? Opool.shell("unshare -rpf --mount-proc --kill-child true").run()
    return run?.status == .exited(0)
  }()

  /// A login shell's greeting is skipped and reported.
  @Test("What a worker prints before its greeting is noise", .needsPython)
  func banner() throws {
    let worker = "1:sh -c 'echo Welcome; exec python3 \"$PYTHON_WORKER\"'"
    try Opool("run", "--worker", worker).stdin(#"{"kind": "sum", "payload": [1]}"#).run()
      .expect("")
      .says("opool: worker 1 wrote 8 bytes before it greeted: “Welcome\\n”\n")
  }

  /// Asked first, so nothing has happened.
  @Test("A kind that no worker serves is an error before anything is executed", .needsPython)
  func unserved() throws {
    let manifest = """
      {"run": ["touch", "ran"]}
      {"kind": "reverse", "payload": "a"}
      {"kind": "nope"}
      """
    let run = try Opool("run", "--worker", Self.python, "m").file("m", manifest).run()
    run.expect("", stderr: "m:3: kind: no worker serves 'nope'\n", exit: 3)
    #expect(try run.folder.names().contains("ran") == false)
  }

  @Test("A worker that needs long to start is waited for, and the user is told what is waited for")
  func slowGreeting() throws {
    let words = ["map", "--worker-start", "60", "--progress-every", "0.5"]
    let run = try Opool(words + ["--worker", "1:sleep 6; exec opool-worker", "echo", ":::", "1"])
      .run()
    run.expect("1\n").says("opool: 0 of 1 done, 0 executing, 1 worker starting\n").says(
      "opool: --worker '1:sleep 6; exec opool-worker': waiting for 1 worker to greet; "
        + "--worker-start TIME gives workers longer\n"
    )
  }

  /// The message tells which worker, and what it did instead of greeting.
  @Test(
    "A program that is no worker ends the run with 4, soon",
    arguments: [
      ("true", "ended without a word"),
      ("echo hello", "without an 'OPOOL-WORKER 1' line, after “hello”"),
      ("no-such-command", "not found"),
      ("/dev/null", "Permission denied"),
      ("cat", "did not greet within 1.5 s"),
      ("sleep 1000", "did not greet within 1.5 s; --worker-start TIME gives workers longer"),
      ("yes", "OPOOL-WORKER"),
      ("sh -c 'echo who; exec sleep 1000'", "did not greet within 1.5 s, but sent “who”"),
    ]
  )
  func noWorker(_ command: String, _ message: String) throws {
    let manifest = #"{"kind": "a"}"# + "\n" + #"{"kind": "b", "after": ["1"]}"#
    let words = ["run", "--worker-start", "1.5", "--worker", "2:\(command)"]
    let run = try Opool(words + ["--results", "results"]).stdin(manifest).run()
    run.expect("", exit: 4).says(message)
      .says("opool: --worker '2:\(command)': workers cannot be kept alive: worker ")
    let endings = try run.resultsByID().mapValues(\.ending)
    #expect(endings == ["1": "failed noWorker", "2": "skipped dependency:1"])
  }

  /// Silence alone tells after ten seconds.
  @Test(
    "A version or greeting that is wrong is quoted at once",
    arguments: [
      (
        "OPOOL-WORKER 2\\n",
        "greeted with “OPOOL-WORKER 2”, which is not the line 'OPOOL-WORKER 1'"
      ),
      (
        "OPOOL-WORKER 1\\r\\n",
        "greeted with “OPOOL-WORKER 1\\r”, which is not the line 'OPOOL-WORKER 1'"
      ),
      ("\\000\\000\\000\\003{}\\n", "sent a frame before an 'OPOOL-WORKER 1' line: “{}”"),
      (
        #"OPOOL-WORKER 1\n\000\000\000\060{"type":"hello","versions":[2,3],"kinds":["a"]}\n"#,
        "sent a 'hello' of the versions [2, 3], but only 1 is spoken here"
      ),
      (
        #"OPOOL-WORKER 1\n\000\000\000\020{"type":"helo"}\n"#,
        "sent 'helo' before its 'hello'"
      ),
    ]
  )
  func wrongGreeting(_ bytes: String, _ message: String) throws {
    let script = "printf '\(bytes)'\nexec sleep 1000\n"
    let run = try Opool("run", "--worker", "1:sh greet", "--results", "results")
      .file("greet", script).stdin(#"{"kind": "a"}"#).run()
    run.expect("", exit: 4).says("opool: worker 1 (pid P) \(message)\n")
    // Nothing else can have waited, nor taken ten seconds.
    #expect(try run.results().first?.finished ?? 10 < 10)
  }

  /// A user who names a machine does not expect the commands to execute on this one.
  @Test(
    "Commands are not executed here because a worker of the user's cannot start",
    arguments: [
      ("1:false", String?.none), ("1:no-such-command", nil), ("1:false", testWorker),
    ]
  )
  func commandsStayAway(_ broken: String, _ other: String?) throws {
    let options = [other.map { "2:" + $0 }, broken].compactMap(\.self).flatMap { ["--worker", $0] }
    let manifest = #"{"id": "here", "shell": "touch ran"}"#
    let run = try Opool(["run", "--results", "results"] + options).stdin(manifest).run()
    run.expect("", exit: 4).says("opool: --worker '\(broken)': workers cannot be kept alive: ")
    #expect(try run.resultsByID().mapValues(\.ending) == ["here": "failed noWorker"])
    #expect(try run.folder.names().contains("ran") == false)
  }

  /// The worker greets, serves commands, and cannot be started again after its death.
  @Test("Commands are not executed here because a worker of the user's dies of them")
  func commandsStayAwayLater() throws {
    let worker = "1:sh -c 'test ! -e dead || exit 1; exec opool-worker'"
    let manifest = """
      {"id": "kill", "shell": "touch dead; kill -9 $PPID"}
      {"id": "next", "shell": "touch ran", "after": [{"id": "kill", "when": "finished"}]}
      """
    let run = try Opool("run", "--worker", worker, "--results", "results").stdin(manifest).run()
    run.expect("", exit: 4).says("opool: --worker '\(worker)': ")
    let endings = try run.resultsByID().mapValues(\.ending)
    #expect(endings == ["kill": "lost workerDied", "next": "failed noWorker"])
    #expect(try run.folder.names().contains("ran") == false)
  }

  /// The second attempt happens in a new process; what waits is executed there as well.
  @Test("A crash costs one operation, and a retry repeats it on a new worker")
  func crash() throws {
    let manifest = """
      {"id": "bad", "kind": "exit", "payload": 9}
      {"id": "again", "kind": "exit", "payload": 9, "retries": 1}
      {"id": "good", "kind": "count", "after": [{"id": "again", "when": "failed"}]}
      """
    let run = try Opool("run", "--worker", "1:\(Self.testWorker)", "--results", "results")
      .stdin(manifest).run()
    run.expect("", exit: 1).says("again: attempt 1: worker 2 (pid P) exited with code 9")
    let results = try run.resultsByID()
    #expect(
      results.mapValues(\.ending) == [
        "bad": "lost workerDied", "again": "lost workerDied", "good": "succeeded",
      ]
    )
    #expect(results.mapValues(\.attempt) == ["bad": 1, "again": 2, "good": 1])
    #expect(results.mapValues(\.worker) == ["bad": 1, "again": 3, "good": 4])
    #expect(results["good"]?.result?.text == "1")
  }

  /// Prefetched operations had not started, so the death of their worker is nothing to them.
  @Test("What a dying worker merely had prefetched is executed elsewhere, once")
  func prefetched() throws {
    var lines = (0..<500).map { _ in #"{"kind": "noop"}"# }
    for place in [100, 300] { lines[place] = #"{"kind": "exit", "payload": 3}"# }
    let run = try Opool("run", "--worker", "2:\(Self.testWorker)", "--results", "results")
      .stdin(lines.joined(separator: "\n")).run().expect("", exit: 1)
    let results = try run.resultsByID()
    #expect(results.count == 500)
    #expect(
      results.values.filter { $0.ending == "lost workerDied" }.map(\.id).sorted() == ["101", "301"]
    )
    #expect(results.values.filter { $0.outcome == "succeeded" && $0.attempt == 1 }.count == 498)
  }

  /// Each of them confuses a careless pool.
  @Test("Operations that print, read, leave a process behind or ignore signals harm nothing")
  func hostileKinds() throws {
    let manifest = """
      {"id": "print", "kind": "print"}
      {"id": "readStdin", "kind": "readStdin"}
      {"id": "notJSON", "kind": "notJSON"}
      {"id": "deaf", "kind": "stubborn", "timeout": 0.1}
      {"id": "talk", "kind": "talkative"}
      {"id": "sum", "kind": "sum", "payload": {"numbers": [1, 2]}}
      """
    let run = try Opool("run", "--worker", "1:\(Self.testWorker)", "--results", "results")
      .stdin(manifest).run()
    run.expect("", exit: 1)
      .says("a stray line").says("opool: talk: half of it\n").says("opool: deaf: deaf\n")
    let results = try run.resultsByID()
    #expect(
      results.mapValues(\.ending) == [
        "print": "succeeded", "readStdin": "succeeded", "notJSON": "failed error",
        "deaf": "timedOut timeout", "talk": "succeeded", "sum": "succeeded",
      ]
    )
    #expect(results["readStdin"]?.result?.text == "0")
  }

  /// A process that a typed operation leaves behind keeps no run from its end.
  @Test("A process that an operation left behind does not hold up the run")
  func grandchild() throws {
    let script = """
      echo '{"id": "g", "kind": "grandchild"}' |
        opool run -q --results results --worker '1:\(Self.testWorker)'
      echo "code $?"
      kill $(sed 's/.*"result":\\([0-9]*\\).*/\\1/' results)
      """
    try Opool.shell(script).run().expect("code 0\n", stderr: "")
  }
}

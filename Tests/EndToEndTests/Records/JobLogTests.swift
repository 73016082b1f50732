import Foundation
import PoolModel
import PoolTestSupport
import Testing

/// Contract: the job log is GNU parallel's, as its own reader, `parallel --resume`, takes it.
@Suite("The job log")
struct JobLogTests {
  private static let header =
    "Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand"

  /// The rows of a job log, without the two times.
  private func rows(_ run: OpoolRun, _ name: String = "log") -> [[String]] {
    let text = run.folder.text(of: name)
    #expect(text.hasSuffix("\n"))
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.first == Self.header)
    return lines.dropFirst().map { line in
      let columns = line.split(separator: "\t", maxSplits: 8, omittingEmptySubsequences: false)
      #expect(columns.count == 9, "\(line)")
      #expect(columns[2].wholeMatch(of: /[0-9]+\.[0-9]{3}/) != nil, "\(line)")
      #expect(columns[3].wholeMatch(of: /\ {0,9}[0-9]+\.[0-9]{3}/) != nil, "\(line)")
      #expect(columns[3].utf8.count >= 10, "\(line)")
      return (columns[..<2] + columns[4...]).map(String.init)
    }
  }

  private func sequences(_ run: OpoolRun, _ name: String = "log") -> [String] {
    rows(run, name).map { $0[0] }
  }

  @Test("has the header and the rows of GNU parallel", .needsParallel)
  func format() throws {
    let arguments = #"a 'x y' '' "$(printf 'tab\tb')" "quote'" 'back\slash' é '$x' '*'"#
    let run = try Opool.shell(
      """
      export SHELL=/bin/sh
      opool map -q -j1 --joblog log echo ::: \(arguments)
      parallel --will-cite -j1 --joblog gnu echo ::: \(arguments)
      cat <<'!' >lines
      exit 3
      kill -9 $$
      printf 12345
      echo error >&2
      !
      opool map -q -j1 --joblog log2 'eval {}' < lines
      parallel --will-cite -j1 --joblog gnu2 eval < lines
      seq 5 | opool map -q --pipe --joblog log3 cat
      seq 5 | parallel --will-cite --pipe --joblog gnu3 cat
      true
      """
    ).run()
    #expect(run.status == .exited(0))
    // The quotes differ where both are right.
    #expect(rows(run).map { $0.dropLast() } == rows(run, "gnu").map { $0.dropLast() })
    #expect(rows(run).prefix(3) == rows(run, "gnu").prefix(3))
    #expect(
      rows(run, "log2").map { $0.dropLast() } == rows(run, "gnu2").map { $0.dropLast() }
    )
    #expect(rows(run, "log3") == rows(run, "gnu3"))
    #expect(rows(run, "log3") == [["1", ":", "10", "10", "0", "0", "cat"]])
  }

  @Test("says when an operation started, and for how long it executed")
  func times() throws {
    let before = Date.now.timeIntervalSince1970
    let run = try Opool("map", "--joblog", "log", "sleep", ":::", "1").run().expect("")
    let columns = try #require(run.folder.text(of: "log").split(separator: "\n").last)
      .split(separator: "\t")
    let start = try #require(Double(columns[2]))
    let runtime = try #require(Double(columns[3].drop { $0 == " " }))
    #expect(before - 0.01 <= start && start + runtime <= Date.now.timeIntervalSince1970 + 0.01)
    // opool hears of the start a little later.
    #expect(runtime >= 0.1)
  }

  @Test("has one line for each operation that executed and ended by itself, for its last attempt")
  func endings() throws {
    let run = try Opool("run", "-q", "-j1", "--joblog", "log", "--retries", "1", "m")
      .file(
        "m",
        """
        {"id": "fails", "shell": "echo try; exit 4"}
        {"id": "skipped", "run": ["true"], "after": ["fails"]}
        {"id": "late", "shell": "exec sleep 1000", "timeout": 0.2, "retries": 0}
        {"id": "reads", "run": ["cat"], "stdin": "12345\\n"}
        {"id": "missing", "run": ["/missing"]}

        """
      ).run()
    run.expect("try\n12345\n", exit: 1)
    let rows = rows(run).sorted { $0[0] < $1[0] }
    #expect(
      rows == [
        ["1", ":", "0", "4", "4", "0", "echo try; exit 4"],
        ["3", ":", "0", "0", "-1", "15", "exec sleep 1000"],
        ["4", ":", "6", "6", "0", "0", "cat"],
        ["5", ":", "0", "0", "127", "0", "/missing"],
      ]
    )
  }

  @Test("has no line for what the end of the run tore down, so that a resume executes it")
  func tornDown() throws {
    let line = "if [ {} = 2 ]; then while ! [ -e hangs ]; do sleep 0.01; done; exit 1; fi; "
    let run = try Opool(
      "map",
      "-q",
      "-j2",
      "--halt",
      "now,fail=1",
      "--joblog",
      "log",
      line + "[ {} = 3 ] || exit 0; touch hangs; sleep 1000",
      ":::",
      "1",
      "2",
      "3"
    ).run()
    run.expect("", exit: 1)
    #expect(sequences(run) == ["1", "2"])
  }

  @Test("lets GNU parallel resume with exactly the rest", .needsParallel)
  func resume() throws {
    let run = try Opool.shell(
      """
      opool map -q -j1 --halt now,fail=1 --joblog log '[ {} != 4 ]; echo $? {} >>ours' ::: 1 2 3 \
        ::: x y; opool map -q -j2 --halt soon,fail=1 --joblog log2 'test {} -lt 3' ::: 1 2 3 4 5 6
      parallel --will-cite -j1 --resume --joblog log2 echo ::: 1 2 3 4 5 6 >rest
      parallel --will-cite -j1 --resume-failed --joblog log2 echo again ::: 1 2 3 4 5 6 >again
      """
    ).run()
    let executed = rows(run, "log2")
    let before = executed.prefix { $0[6].hasPrefix("test") }
    let rest = Set(1...6).subtracting(before.compactMap { Int($0[0]) })
    #expect(before.contains { $0[4] == "1" } && !rest.isEmpty)
    #expect(
      run.folder.text(of: "rest").split(separator: "\n").compactMap { Int($0) } == rest.sorted()
    )
    let failed = before.filter { $0[4] != "0" }.map { "again \($0[0])" }
    #expect(
      run.folder.text(of: "again").split(separator: "\n").map(String.init).sorted()
        == failed.sorted()
    )
  }

  @Test("lets GNU parallel execute failed commands again, also those of two lines", .needsParallel)
  func retryFailed() throws {
    let run = try Opool.shell(
      """
      export SHELL=/bin/sh
      opool map -q -j1 --joblog log 'echo {} >>ran
      [ -e again ]' ::: 'a b' c
      touch again
      parallel --will-cite -j1 --retry-failed --joblog log 2>/dev/null
      """
    ).run()
    #expect(run.folder.text(of: "ran") == "a b\nc\na b\nc\n")
    #expect(run.folder.text(of: "log").contains("\\n") == false)
    #expect(rows(run).map { $0[4] } == ["1", "1", "0", "0"])
    #expect(rows(run).allSatisfy { $0[6].contains("ran\0[ -e again ]") })
  }

  /// Whatever opool was doing, its log is taken, and the rest is what it does not have.
  @Test(
    "is taken by GNU parallel wherever opool was killed",
    .needsParallel,
    .timeLimit(.minutes(30)),
    arguments: RandomSeeds.first(6)
  )
  func killed(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let armed = Int.random(in: 2...40, using: &generator)
    let command =
      "if [ {} = \(armed) ]; then \(Opool.findCoordinator); kill -9 $2; sleep 1000; fi"
    let run = try Opool.shell(
      """
      seq 40 | opool map -q -j4 --joblog log '\(command.replacing("'", with: #"'\''"#))' 2>/dev/null
      cp log killed
      seq 40 | parallel --will-cite -j2 --resume --joblog log true
      """
    ).run()
    run.expect("")
    let before = sequences(run, "killed")
    #expect(!before.contains("\(armed)") && Set(before).count == before.count, "seed \(seed)")
    let all = sequences(run)
    #expect(all.compactMap { Int($0) }.sorted() == Array(1...40), "seed \(seed)")
  }

  @Test("is emptied, or continued behind its last whole line with + or --resume")
  func appended() throws {
    let run = try Opool.shell(
      """
      opool map -q --joblog log true ::: a b
      opool map -q -j1 --joblog log true ::: c; cp log one
      printf '7\\t:\\t0.0' >>log
      opool map -q --joblog +log true ::: d; cp log two
      opool map -q --journal j --joblog log true ::: e
      opool map -q --journal j --resume --joblog log true ::: e f
      printf 'Seq\\tHo' >new; opool map -q --joblog +new true ::: g
      opool map -q --joblog +newer true ::: h
      opool map -q --joblog ./+plus true ::: i
      """
    ).run()
    run.expect("")
    #expect(rows(run, "one").map(\.last) == ["true c"])
    #expect(rows(run, "two").map(\.last) == ["true c", "true d"])
    #expect(rows(run).map(\.last) == ["true e", "true f"])
    for (name, command) in [("new", "true g"), ("newer", "true h"), ("+plus", "true i")] {
      #expect(rows(run, name).map(\.last) == [command])
    }
  }

  @Test("has each line of runs that add to it at the same time, and goes on where it is emptied")
  func together() throws {
    let run = try Opool.shell(
      """
      for x in A BBBB; do opool map -q -j2 --joblog +log "echo $x" ::: $(seq 60) >/dev/null & done; wait
      mkfifo go back; exec 5<>go 6<>back
      opool map -q -j1 --joblog new 'echo >back; read -r line <go; : {}' ::: 1 2 &
      read -r line <back; : >new; echo >go; read -r line <back; echo >go; wait
      """
    ).run()
    run.expect("", stderr: "")
    let lines = run.folder.text(of: "log").split(separator: "\n").filter { !$0.hasPrefix("Seq") }
    #expect(lines.count == 120)
    #expect(lines.allSatisfy { $0.split(separator: "\t").count == 9 })
    for name in ["A", "BBBB"] { #expect(lines.count { $0.contains("echo \(name) ") } == 60) }
    #expect(!run.folder.text(of: "new").contains("\0"))
    #expect(run.folder.text(of: "new").split(separator: "\n").count == 2)
  }

  @Test("adds nothing to a file that is no job log")
  func foreign() throws {
    let run = try Opool("map", "--joblog", "+notes", "touch", ":::", "ran").file(
      "notes",
      "my own\n"
    )
    .run()
    run.expect(
      "",
      stderr: "opool: notes: not a job log, so nothing is added to it; name another file\n",
      exit: 5
    )
    #expect(run.folder.text(of: "notes") == "my own\n")
    #expect(try !run.folder.names().contains("ran"))
  }

  @Test(
    "that cannot be written is named, with exit code 5",
    arguments: ["/dev/full", "no/log", "."]
  )
  func unwritable(path: String) throws {
    let run = try Opool("map", "--joblog", path, "true", ":::", "a").run()
    run.expect("", exit: 5).says("opool: \(path): ")
  }

  @Test("meets a full disk", .enabled(if: Namespace.isPermitted))
  func full() throws {
    let script = """
      mkdir small && mount -t tmpfs -o size=8k none small || exit 77
      seq 1000 | opool map -q -j1 --joblog small/log true 'some words that take room'
      """
    let run = try Opool.shell("exec \(Namespace.enter) sh -c \"$SCRIPT\"")
      .environment("SCRIPT", script).run()
    run.expect("", stderr: "opool: small/log: No space left on device\n", exit: 5)
  }

  @Test(
    "Results and job log do not mix in one stream",
    arguments: [("-", "-"), ("/dev/stdout", "-"), ("/dev/stderr", "/dev/fd/2")]
  )
  func oneStream(_ results: String, _ log: String) throws {
    let run = try Opool("map", "--results", results, "--joblog", log, "touch", ":::", "a").run()
    let stream = results.hasSuffix("err") ? "standard error" : "standard output"
    run.expect("", stderr: "opool: --results and --joblog both name the \(stream)\n", exit: 2)
    #expect(try !run.folder.names().contains("a"))
  }

  @Test("goes to a stream line by line, each after its operation's output")
  func stream() throws {
    let run = try Opool("map", "-q", "-j1", "--joblog", "-", "printf", ":::", "a", "b").run()
    run.expect()
    let lines = run.stdout.split(separator: "\n").map(String.init)
    #expect(lines.count == 5 && lines[0] == Self.header && lines[1] == "a" && lines[3] == "b")
    #expect(lines[2].hasPrefix("1\t:\t") && lines[4].hasSuffix("\t0\t1\t0\t0\tprintf b"))
  }

  @Test("and another file of the run are never one file")
  func shared() throws {
    for (options, words) in [
      ("--results log", "the results 'log' and the job log 'log'"),
      ("--journal log", "the journal 'log' and the job log 'log'"),
    ] {
      let run = try Opool.shell("opool map --joblog log \(options) touch ::: ran; echo $?").run()
      run.expect(
        "2\n",
        stderr: "opool: \(words) are the same file; give each a file of its own\n"
      )
      #expect(try run.folder.names().filter { !$0.hasPrefix(".") } == [])
    }
    let manifest = try Opool("run", "--joblog", "m", "m").file("m", #"{"run":["true"]}"#).run()
    manifest.expect(
      "",
      stderr: "opool: the manifest 'm' and the job log 'm' are the same file; "
        + "give each a file of its own\n",
      exit: 2
    )
    #expect(manifest.folder.text(of: "m") == #"{"run":["true"]}"#)
  }

  @Test("of a dry run is not begun")
  func dryRun() throws {
    let run = try Opool("map", "--dry-run", "--joblog", "log", "true", ":::", "a").run().expect()
    #expect(try !run.folder.names().contains("log"))
  }
}

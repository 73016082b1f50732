import Foundation
import PoolTestSupport
import Testing

/// The file of results, and how operations end.
@Suite("Results of opool map")
struct ResultsTests {
  /// A reader can rely on every field, whatever happened.
  @Test("A line has all fields of the format")
  func fields() throws {
    let run = try Opool("map", "-j1", "--results", "results", "echo out; [ {} = 1 ]")
      .stdin("1\n2\n").run().expect(exit: 1)
    let lines = run.folder.text(of: "results").split(separator: "\n")
    let names = [
      "id", "key", "run", "name", "group", "members", "input", "inputs", "command", "outcome",
      "cause", "exit", "signal", "attempt", "worker",
      "queued", "started",
      "finished", "startedAt", "finishedAt", "usage", "stepsTaken", "stdout", "stdoutBytes",
      "stderr", "stderrBytes", "result",
      "errorType", "errorCode", "message",
      "resumed",
    ]
    for line in lines {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(object?.keys.sorted() == names.sorted())
    }
    let records = try run.results()
    #expect(records.map(\.id) == ["1", "2"])
    #expect(records.map(\.ending) == ["succeeded", "failed exit 1"])
    #expect(records.map(\.exit) == [0, 1])
    #expect(records.allSatisfy { $0.stdout.text == "out\n" && $0.stdoutBytes == 4 })
    #expect(records.allSatisfy { $0.worker == 1 && $0.attempt == 1 && $0.result == nil })
    for record in records {
      let queued = try #require(record.queued)
      let started = try #require(record.started)
      let finished = try #require(record.finished)
      #expect(0 <= queued && queued <= started && started <= finished)
    }
    #expect(records[0].message == nil && records[1].message == "exit code 1")
    #expect(records.map { $0.input?.text } == ["1", "2"])
    #expect(records.map { $0.command?.text } == ["echo out; [ '1' = 1 ]", "echo out; [ '2' = 1 ]"])
    for record in records {
      let (began, ended) = (try #require(record.startedAt), try #require(record.finishedAt))
      #expect(abs(Date.now.timeIntervalSince1970 - ended) < 3_600)
      let (started, finished) = (try #require(record.started), try #require(record.finished))
      #expect(abs((ended - began) - (finished - started)) < 0.001)
    }
  }

  @Test("Each combination of several sources has its parts, which differ where the whole does not")
  func parts() throws {
    let words = ["true", ":::", "a b", "a", ":::", "c", "b c"]
    let run = try Opool(["map", "-q", "--results", "results"] + words).run().expect("")
    let records = try run.resultsByID()
    #expect(records["1"]?.inputs?.map(\.text) == ["a b", "c"])
    #expect(records["4"]?.inputs?.map(\.text) == ["a", "b c"])
    #expect(records["1"]?.input?.text == "a b c" && records["4"]?.input?.text == "a b c")
    let manifest = try Opool("run", "--results", "results").stdin(#"{"run": ["true"]}"#).run()
    #expect(try manifest.results().first?.inputs == nil)
  }

  /// An excerpt is 64 KiB; the count is that of all bytes; bytes that are no text stay bytes.
  @Test("Outputs are reported in excerpts with their full counts")
  func excerpts() throws {
    let line = "head -c 100000 /dev/zero | tr '\\0' x; printf '\\377' >&2; :"
    let run = try Opool("map", "--results", "results", line, ":::", "a").run().expect()
    let record = try #require(try run.results().first)
    #expect(record.stdout.text == String(repeating: "x", count: 65_536))
    #expect(record.stdout.isText && record.stdoutBytes == 100_000)
    #expect(record.stderr.bytes == [255] && !record.stderr.isText && record.stderrBytes == 1)
    #expect(run.stdoutBytes.count == 100_000)
  }

  /// Each way has its name and number.
  @Test("Endings are told apart")
  func endings() throws {
    let line = "case {} in 1) ;; 2) exit 3;; 3) kill -9 $$;; 4) exit 255;; esac"
    let run = try Opool("map", "--results", "results", line, ":::", "1", "2", "3", "4").run()
    run.expect("", exit: 1).says("opool: 1 succeeded, 3 failed in T\n")
    let endings = try run.resultsByID().mapValues(\.ending)
    let expected = ["succeeded", "failed exit 3", "failed signal 9", "failed exit 255"]
    #expect(endings == Dictionary(uniqueKeysWithValues: zip(["1", "2", "3", "4"], expected)))
    let exits = try run.resultsByID().mapValues(\.exit)
    #expect(exits == ["1": 0, "2": 3, "3": nil, "4": 255])
  }

  @Test("What a journal has kept of a command says its exit code, too")
  func resumedExits() throws {
    let run = try Opool.shell(
      """
      opool map -q --journal j 'exit {}' ::: 0 2
      opool map -q --journal j --resume --results results 'exit {}' ::: 0 2
      """
    ).run()
    let records = try run.resultsByID()
    #expect(records.mapValues(\.exit) == ["1": 0, "2": 2])
    #expect(records.values.allSatisfy { $0.resumed })
  }

  @Test("What no process ended has no exit code")
  func exitless() throws {
    let run = try Opool.shell(
      """
      printf '%s\\n' '{"id": "a", "run": ["/missing"]}' '{"id": "b", "shell": "true", "after": ["a"]}' \
        '{"id": "c", "shell": "true", "group": "g"}' | opool run -q --results results -
      """
    ).run()
    let exits = try run.resultsByID().mapValues(\.exit)
    #expect(exits == ["a": nil, "b": nil, "c": 0, "g": nil])
  }

  @Test("A command that is to end and exits by itself has its exit code", arguments: [0, 7])
  func ownExit(code: Int32) throws {
    let line = "trap 'exit \(code)' TERM; while :; do sleep 0.01; done; : {}"
    let run = try Opool("map", "--timeout", "2", "--results", "results", line, ":::", "x").run()
    let record = try #require(try run.results().first)
    #expect(record.outcome == "timedOut" && record.exit == code && record.signal == nil)
  }

  @Test(
    "A command that is to end and is killed has the signal, and no exit code",
    arguments: [("exec", Int32(15)), ("trap '' TERM;", 9)]
  )
  func killed(begin: String, signal: Int32) throws {
    let options = ["map", "--timeout", "2", "--term-seq", "TERM,30,KILL", "--results", "results"]
    let run = try Opool(options + ["\(begin) sleep {}", ":::", "1000"]).run()
    let record = try #require(try run.results().first)
    #expect(record.outcome == "timedOut" && record.exit == nil && record.signal == signal)
  }

  @Test("What a journal has kept of a command that was killed says its signal, too")
  func resumedSignal() throws {
    let run = try Opool.shell(
      """
      opool map -q --timeout 0.3 --journal j 'exec sleep {}' ::: 1000
      opool map -q --timeout 0.3 --journal j --resume --results results 'exec sleep {}' ::: 1000
      """
    ).run()
    let record = try #require(try run.results().first)
    #expect(record.resumed && record.outcome == "timedOut" && record.signal == 15)
  }

  /// The last command ends when the lines of the first two, which end in one moment, can be read.
  @Test("A line is written soon, also when no other operation ends")
  func soon() throws {
    let wait = "until [ $(wc -l < results) -eq 2 ]; do sleep 0.01; done"
    try Opool(
      "map",
      "-j1",
      "--timeout",
      "30",
      "--results",
      "results",
      "sh -c {}",
      ":::",
      "true",
      "true",
      wait
    ).run().expect("", exit: 0)
  }

  /// Missing, not executable, a folder, an interpreter that is not there.
  @Test("A command that cannot be started is a failure by spawn, and named")
  func spawn() throws {
    let run = try Opool("map", "--results", "results", "{}", ":::", "./no", "./plain", "./dir")
      .file("plain", "")
    try FileManager.default.createDirectory(
      atPath: run.folder.path(of: "dir"),
      withIntermediateDirectories: true
    )
    let done = try run.run().expect("", exit: 1)
      .says("./no: No such file or directory").says("./plain: Permission denied").says("./dir: ")
    #expect(try done.results().allSatisfy { $0.outcome == "failed" && $0.cause == "spawn" })
  }

  /// The third attempt succeeds, and only its output counts.
  @Test("An operation is executed again as often as it has retries")
  func retries() throws {
    let line = "echo {} >> tries; echo try; [ $(wc -l < tries) -eq 3 ]"
    let enough = try Opool("map", "--retries", "2", "--results", "results", line, ":::", "x").run()
    enough.expect("try\n")
    #expect(try enough.results().map(\.attempt) == [3])
    let few = try Opool("map", "--retries", "1", "--results", "results", line, ":::", "x").run()
    few.expect("try\n", exit: 1)
      .says("opool: 1 (x): attempt 1: exit code 1; trying again\n")
    #expect(try few.results().map { "\($0.attempt) \($0.ending)" } == ["2 failed exit 1"])
  }

  /// The whole group goes; that nothing is left is what each run here ends with.
  @Test("An operation that takes too long is ended with all that it started")
  func timeout() throws {
    let line = "echo begun; sh -c 'sleep 1000' & sleep 1000; : {}"
    let run = try Opool("map", "--timeout", "2", "--results", "results", line, ":::", "x").run()
    run.expect("begun\n", exit: 1).says("opool: 1 (x): timed out: ")
    let record = try #require(try run.results().first)
    #expect(record.outcome == "timedOut" && record.cause == "timeout")
    #expect((record.finished ?? 0) - (record.started ?? 0) >= 2)
  }

  /// Found out before anything is executed, or as soon as the disk is full.
  @Test("Results that cannot be written are named, with exit code 5")
  func unwritable() throws {
    for path in ["/dev/full", "missing/results", "/proc/results", "/dev/full/"] {
      let run = try Opool("map", "--results", path, "touch", ":::", "ran").run()
      run.expect("", exit: 5).says("opool: \(path): ")
      let hasRun = try run.folder.names().contains("ran")
      #expect(hasRun == (path == "/dev/full"))
    }
  }
}

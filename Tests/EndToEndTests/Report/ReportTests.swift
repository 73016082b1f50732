import PoolTestSupport
import Testing

/// Contract: `opool report` reads what `--events` and `--journal` have written.
@Suite("Reports of recorded runs", .timeLimit(.minutes(5)))
struct ReportTests {
  private static let manifest = """
    {"id":"a","shell":"sleep 0.2"}
    {"id":"b","shell":"test -e b || { touch b; exit 3; }","after":["a"],"retries":1}
    {"id":"c","shell":"exit 4","after":["b"]}
    {"id":"d","shell":"true","after":["c"]}

    """

  /// A run of the manifest, recorded in both ways.
  private func recorded() throws -> Opool {
    let script = "opool run -q -j2 --events events --journal journal m; test $? = 1"
    let opool = try Opool.shell(script).file("m", Self.manifest)
    try opool.run().expect("")
    return opool
  }

  @Test("both say how operations ended, what slots did, and why the run took that long")
  func text() throws {
    let opool = try recorded()
    for file in ["events", "journal"] {
      let text = try opool.again("report", file).run().expect(stderr: "").stdout
      #expect(text.contains("2 of 4 operations succeeded in "), "\(file): \(text)")
      #expect(text.contains("1 failed, 1 was skipped."), "\(file): \(text)")
      #expect(text.contains("waited for dependencies"), "\(file): \(text)")
      #expect(text.contains("  1  failed: exit code 4: c\n"), "\(file): \(text)")
      #expect(text.contains("exit code 3: b\n"), "\(file): \(text)")
      #expect(text.contains("  a  after the beginning of the run\n"), "\(file): \(text)")
      #expect(text.contains("after the end of a dependency"), "\(file): \(text)")
    }
  }

  @Test("a run that was killed, and half of a line, are reported with what there is")
  func killed() throws {
    let opool = try recorded()
    try opool.again(shell: "head -c -40 events > cut; grep -v runEnded cut > end").run().expect("")
    let text = try opool.again("report", "cut").run().expect(stderr: "").stdout
    #expect(text.contains("it was killed, or it goes on"))
    try opool.again(shell: "sed '3s/.*/{\"type\":5}/' events > bad").run().expect("")
    let bad = try opool.again("report", "bad").run().expect()
      .says("opool: bad: line 3 is no record: ")
    #expect(bad.stdout.contains("operations succeeded"))
  }

  @Test("a page replaces neither the records nor another file of the run")
  func sameFile() throws {
    let opool = try recorded()
    for file in ["events", "journal"] {
      let before = opool.folder.bytes(of: file)
      try opool.again("report", "--html", "./\(file)", file).run().expect("", exit: 2)
        .says("the page and the records are the same file")
      #expect(opool.folder.bytes(of: file) == before)
    }
    for option in ["--journal", "--events", "--results", "--joblog"] {
      try opool.again("map", option, "new", "--report", "./new", "true", ":::", "a").run()
        .expect("", exit: 2).says("are the same file")
      #expect(try !opool.folder.names(in: "").contains("new"))
    }
  }

  @Test("a trace is a timeline of the run, and replaces neither the records nor the page")
  func trace() throws {
    let opool = try recorded()
    for file in ["events", "journal"] {
      let text = try opool.again("report", "--trace", "-", file).run().expect(stderr: "").stdout
      #expect(text.hasPrefix(#"{"displayTimeUnit":"ms","otherData":{"program":"opool","#))
      #expect(text.hasSuffix("\n]}\n"))
      let attempts = text.split(separator: "\n").filter { $0.contains(#""outcome":"#) }
      #expect(attempts.count == 4, "\(file): \(text)")
      #expect(attempts.contains { $0.contains(#""name":"b""#) && $0.contains(#""attempt":2"#) })
      #expect(text.contains(#"{"name":"why it took that long"}"#))
      let before = opool.folder.bytes(of: file)
      try opool.again("report", "--trace", "./\(file)", file).run().expect("", exit: 2)
        .says("the trace and the records are the same file")
      #expect(opool.folder.bytes(of: file) == before)
    }
    try opool.again("report", "--html", "p", "--trace", "./p", "events").run().expect("", exit: 2)
      .says("the trace and the page are the same file")
    try opool.again("report", "--html", "p", "--trace", "t", "events").run().expect("", stderr: "")
    #expect(try opool.folder.names(in: "").contains("t"))
    try opool.again("report", "--trace", "/dev/full", "events").run().expect("", exit: 5)
      .says("opool: /dev/full: No space left on device")
    let closed = "{ opool report --trace - events; echo $? > status; } | :; cat status"
    try opool.again(shell: closed).run().expect("141\n", stderr: "")
  }

  @Test("workers of each place are a process of the trace")
  func places() throws {
    let script = """
      mkdir bin; printf '#!/bin/sh\\nshift; exec "$@"\\n' > bin/ssh; chmod +x bin/ssh
      PATH=$PWD/bin:$PATH
      opool map -q --events e --worker '1:ssh far opool-worker' --worker 1:opool-worker \
        'touch {}; until [ -e a ] && [ -e b ]; do sleep 0.01; done' ::: a b
      opool report --trace - e | grep -o 'process_name.*' | grep -o '"[^"]*"}' | sort
      opool report --trace - --omit commands e | grep -c 'ssh far'; :
      """
    try Opool.shell(script).run().expect("\"opool-worker\"}\n\"run\"}\n\"ssh far\"}\n0\n")
  }

  @Test(
    "lines with blanks, as other programs write JSON, are events, too; thousands of faults are few"
  )
  func otherWriters() throws {
    let opool = try recorded()
    let script = """
      sed 's/^{/ { /;s/":/" : /g;s/,"/ , "/g' events > blanks
      opool report blanks | grep -c '2 of 4 operations succeeded'
      { cat events; yes bad | head -n 2000; } > faults
      opool report faults 2>&1 >/dev/null | wc -l
      """
    try opool.again(shell: script).run().expect("1\n21\n", stderr: "")
  }

  @Test("two runs are compared by the identifiers of their operations")
  func against() throws {
    let opool = try recorded()
    let script = "sed 's/exit 4/exit 0/' m > n; opool run -q -j2 --events new n"
    try opool.again(shell: script).run().expect("", stderr: "")
    let text = try opool.again("report", "--against", "events", "new").run().expect(stderr: "")
      .stdout
    #expect(text.hasPrefix("The run took ") && text.contains(" the earlier one, which took "))
    #expect(text.contains("  failed   succeeded  c\n") && text.contains("skipped  succeeded  d\n"))
  }

  @Test("what is no record of a run is refused with a reason")
  func refusals() throws {
    let opool = try recorded()
    let notARun = "it is neither a journal nor the events of a run"
    try opool.again("report", "m").run().expect("", exit: 2)
      .says("opool: m: \(notARun): line 1 is no record: ")
    try opool.again("report", "none").run()
      .expect("", stderr: "opool: none: No such file or directory\n", exit: 5)
    try opool.again("report", "--against", "m", "events").run().expect("", exit: 2).says(notARun)
    try opool.again("report", "events", "journal").run().expect("", exit: 2)
      .says("more than one file: 'journal'")
    try opool.again("report", "--hmtl", "x").run().expect("", exit: 2)
      .says("did you mean '--html'?")
    try opool.again("report").environment("XDG_STATE_HOME", opool.folder.path).run()
      .expect("", exit: 2).says("no run is kept in ")
  }

  @Test("a run that is interrupted writes its page, and of one that is killed the journal tells")
  func early() throws {
    func line(_ signal: String) -> String {
      let kill = "\(Opool.findCoordinator); kill -\(signal) $2; sleep 1000"
      return "sh -c '[ $0 = b ] || { sleep 0.1; exit 0; }; sleep 0.5; \(kill)'"
    }
    let script = """
      opool map -q -j2 --report page \(line("INT")) ::: a b
      echo $?; grep -o '1 was cancelled' page
      opool map -q -j2 --journal journal \(line("KILL")) ::: a b > /dev/null 2>&1
      opool report journal | grep -o 'executed what had not ended'
      """
    try Opool.shell(script, by: "/bin/bash").run().expect(
      """
      130
      1 was cancelled
      executed what had not ended

      """,
      stderr: nil
    )
  }
}

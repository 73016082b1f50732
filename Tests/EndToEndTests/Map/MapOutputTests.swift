import Foundation
import PoolTestSupport
import Testing

/// Outputs are whole, in whatever way they are written and wherever they go.
@Suite("Outputs of opool map")
struct MapOutputTests {
  /// The two streams are two.
  @Test("Output and error output stay apart")
  func streams() throws {
    try Opool("map", "-k", "-q", "echo o{}; echo e{} >&2").stdin("1\n2\n").run()
      .expect("o1\no2\n", stderr: "e1\ne2\n")
  }

  /// Nothing is added, and nothing taken away.
  @Test("Output is copied byte by byte")
  func binary() throws {
    try Opool("map", "-k", "printf %s {}").stdin("a\nb\n").run().expect("ab")
    let line = "printf '\\000\\377\\200\\n\\r'; :"
    let run = try Opool("map", line, ":::", "x").run().expect()
    #expect(run.stdoutBytes == [0, 255, 128, 10, 13])
  }

  /// The reader takes a line and goes: no message, no failure, and nothing lives on.
  @Test("A closed standard output ends the run quietly with 141")
  func closedOutput() throws {
    let script = """
      { opool map -j2 'seq 20000; echo {}' ::: $(seq 50); echo "code $?" >&2; } | head -n 1
      """
    try Opool.shell(script).run().expect("1\n", stderr: "code 141\n")
  }

  /// Not one operation's failure, but the run's.
  @Test("A full standard output is named, with exit code 5")
  func fullOutput() throws {
    try Opool("map", "echo", ":::", "a").stdout(to: "/dev/full").run()
      .expect(exit: 5).says("opool: standard output: No space left on device\n")
    try Opool("map", "--dry-run", "echo", ":::", "a").stdout(to: "/dev/full").run()
      .expect(stderr: "opool: standard output: No space left on device\n", exit: 5)
    try Opool("--help").stdout(to: "/dev/full").run()
      .expect(stderr: "opool: standard output: No space left on device\n", exit: 5)
  }

  /// Its number must not go to a file of ours, into which outputs would then be written.
  @Test("A standard stream that is closed from the start hurts no file")
  func closedStreams() throws {
    let run = try Opool.shell(
      """
      opool map --results results 'echo {}; echo {} >&2' ::: a <&- >&- 2>&-; echo $? > code
      """
    ).run()
    run.expect("", stderr: "")
    #expect(try run.results().map(\.outcome) == ["succeeded"])
    #expect(run.unprintedCount() == 1)
    #expect(run.folder.text(of: "code") == "5\n")
  }

  @Test(
    "A standard error that cannot be written costs no output, and ends in exit code 5",
    arguments: [("2>&-", 0), ("2>/dev/full", 5)]
  )
  func lostErrors(redirection: String, summaryCode: Int) throws {
    let run = try Opool.shell(
      """
      opool map -k --journal j --results r 'echo out {}; [ {} = 2 ] || echo err >&2' ::: 1 2 3 \
        \(redirection); echo $?
      tail -n 1 r | sed 's/,"run":"[0-9a-f]*"//'
      opool map -k --journal j --resume 'echo out {}; [ {} = 2 ] || echo err >&2' ::: 1 2 3 | cat
      opool map 'true {}' ::: 1 \(redirection); echo $?
      """
    ).run()
    run.expect("out 1\nout 2\nout 3\n5\n{\"unprinted\":2}\nout 1\nout 3\n\(summaryCode)\n")
    run.says("err\nerr\n")
  }

  @Test("Results that go to a standard error that cannot be written end the run")
  func lostResults() throws {
    try Opool.shell("opool map --results /dev/stderr 'true {}' ::: 1 2>/dev/full").run()
      .expect("", exit: 5)
  }

  /// The reader of the messages has seen enough.
  @Test("A standard error whose reader has gone ends the run quietly with 141")
  func closedError() throws {
    try Opool.shell(
      """
      { opool map -j2 'seq 20000 >&2; echo {} >> ran' ::: $(seq 200) 2>&1 >/dev/null
        echo $? > code; } | head -n 1; cat code; echo $(($(wc -l < ran) < 200))
      """
    ).run().expect("1\n141\n1\n")
  }

  @Test("Printing to a stream that is closed fails as any write, where something is printed")
  func closedFromTheStart() throws {
    let failure = "opool: standard output: Bad file descriptor\nopool: 1 output was not printed\n"
    try Opool.shell("opool map -q 'echo {}' ::: a >&-").run().expect("", stderr: failure, exit: 5)
    try Opool.shell("opool map -q 'echo {} >&2' ::: a 2>&-").run().expect("", exit: 5)
    try Opool.shell("opool map -q 'true {}' ::: a >&- 2>&-").run().expect("")
    let unread = "opool: the standard input cannot be read: Bad file descriptor\n"
    try Opool.shell("opool map -q 'true {}' <&-").run().expect("", stderr: unread, exit: 2)
  }

  /// What was written before the end counts, and the operation's failure is told after it.
  @Test("The output of an operation that failed appears, too")
  func failing() throws {
    try Opool("map", "echo out; echo err >&2; exit 3", ":::", "a").run()
      .expect("out\n", exit: 1)
      .says(
        "err\nopool: 1 (a): failed: exit code 3: echo out; echo err >&2; exit 3 'a'\nopool: 0 succeeded, 1 failed in T\n"
      )
  }

  /// The second waits until the failure of the first was told.
  @Test("A failure is told when it happens, and only then", arguments: [false, true])
  func toldAtOnce(hasFolder: Bool) throws {
    let wait = "until grep -q 'e 3' .stderr; do sleep .01; done"
    let command = "[ {} = a ] && { echo boom >&2; exit 3; }; \(wait); echo {}"
    let options = hasFolder ? ["--results", "R/"] : []
    let run = try Opool(["map", "-j2"] + options + [command, ":::", "a", "b"]).run()
    let end = hasFolder ? "opool: 1: its error output:\n  boom\n" : ""
    run.expect(
      hasFolder ? "" : "b\n",
      stderr: (hasFolder ? "" : "boom\n")
        + "opool: 1 (a): failed: exit code 3: \(command.replacing("{}", with: "'a'"))\n" + end
        + "opool: 1 succeeded, 1 failed in T\n",
      exit: 1
    )
  }
}

import PoolTestSupport
import Testing

/// Contract: a run ends early where the user says so, and what it did not execute stays open.
@Suite("opool --halt")
struct HaltTests {
  @Test("now tears down what executes, starts nothing more, and exits with 1")
  func now() throws {
    let line = "[ {} != 1 ] || exit 3; [ {} = 4 ] || sleep 1000; echo {}"
    let run = try Opool("map", "-j2", "--halt", "now,fail=1", "--results", "results", line)
      .stdin("1\n2\n3\n4\n").run().expect("", exit: 1)
      .says("opool: halted by --halt now,fail=1: 1 failed, 0 succeeded\n")
      .says("opool: 0 succeeded, 1 failed, 3 cancelled in T\n")
    run.expectNothingLeft()
    #expect(try run.results().count == 4)
  }

  @Test("soon finishes what executes, and starts little more")
  func soon() throws {
    // The first fails when the second has begun, which ends when that failure has been told.
    let line = """
      case {} in 1) read x <begun; exit 1;; 2) echo >begun; read x <go;; esac; echo {}
      """
    let run = try Opool.shell(
      """
      mkfifo begun go; exec 3<> go 4<> begun
      seq 999 | opool map -j2 --halt soon,fail=1 '\(line)' 2>&1 | while read x; do
        echo "$x"; case $x in *halted*) echo >&3;; esac
      done
      """
    ).run()
    let lines = run.stdout.split(separator: "\n")
    #expect(lines.contains("opool: halted by --halt soon,fail=1: 1 failed, 0 succeeded"))
    #expect(lines.contains("2"))
    // Nothing has begun behind the failure.
    #expect(lines.count { $0.wholeMatch(of: /[0-9]+/) != nil } == 1)
  }

  @Test("what tears down the operations that are to finish says how the run ended")
  func soonAndDeadline() throws {
    for halt in ["soon,success=1", "soon,done=1"] {
      // The first ends when the second has begun.
      let run = try Opool.shell(
        """
        mkfifo begun; exec 4<>begun
        exec opool map -j2 --deadline 2 --halt \(halt) \
          'case {} in 0) read x <begun;; *) echo >begun; exec sleep {};; esac' ::: 0 1000
        """
      ).run()
      run.expect("", exit: 124).says("opool: the deadline has passed\n")
      run.expectNothingLeft()
    }
  }

  @Test("nothing begins behind a failure", arguments: ["now", "soon"])
  func nothingMore(when: String) throws {
    let run = try Opool.shell(
      "seq 99 | opool map -q -j1 --halt \(when),fail=1 'echo {} >> ran; false'; cat ran"
    ).run()
    #expect(run.stdout == "1\n")
  }

  @Test("the first success is enough where that is wanted, and the exit code is 0")
  func success() throws {
    let line = "[ {} = 2 ] || sleep 1000; echo {}"
    try Opool("map", "-q", "-j3", "--halt", "now,success=1", line, ":::", "1", "2", "3").run()
      .expect("2\n", stderr: "")
    try Opool("map", "-q", "--halt", "-2", "echo", ":::", "1").run().expect("1\n", stderr: "")
  }

  @Test("a failure that a retry mends is none")
  func retries() throws {
    let line = "[ $OPOOL_ATTEMPT = 2 ] && echo {}"
    try Opool(
      "map",
      "-q",
      "-j1",
      "--halt",
      "now,fail=1",
      "--retries",
      "1",
      "--retry-delay",
      "0",
      line,
      ":::",
      "1",
      "2"
    )
    .run()
    .expect("1\n2\n", stderr: "")
  }

  @Test("a percentage counts once the input has ended, also where nothing ends after that")
  func percentage() throws {
    let line = "[ {} != 1 ] || { echo > go; exit 1; }; sleep 1000"
    let run = try Opool.shell(
      """
      mkfifo go
      { printf '1\\n2\\n'; read x < go; } | opool map -j2 --halt now,fail=50% '\(line)'
      """
    ).run()
    run.expect("", exit: 1).says("opool: halted by --halt now,fail=50%: 1 failed, 0 succeeded\n")
    run.expectNothingLeft()
  }

  @Test("what was halted stays open, and a resumed run executes it; old failures do not halt that")
  func resume() throws {
    let run = try Opool.shell(
      """
      opool map -q -j1 --journal j --halt now,fail=1 '[ {} != 2 ] && echo {}' ::: 1 2 3 4
      opool map -q -j1 --journal j --resume --halt now,fail=1 '[ {} != 2 ] && echo {}' ::: 1 2 3 4
      """
    ).run()
    run.expect("1\n3\n4\n", exit: 1)
  }

  @Test("what is no policy is refused, with an example")
  func refused() throws {
    try Opool("map", "--halt", "now,fial=1", "echo", ":::", "1").run().expect("", exit: 2)
      .says(
        "opool: --halt needs fail, success or done, = and a number after 'now,': 'now,fial=1'\n"
      )
      .says("for example --halt now,fail=1")
  }
}

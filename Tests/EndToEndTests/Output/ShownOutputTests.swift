import PoolTestSupport
import Testing

/// Contract: the outputs that the user wants to see are printed, and no failure is silent.
@Suite("--show")
struct ShownOutputTests {
  private static let command = "echo out {}; echo err {} >&2; exit {}"

  private func map(_ options: String...) throws -> Opool {
    try Opool(["map", "-j1"] + options + [Self.command, ":::", "0", "1", "0"])
  }

  @Test("failed prints only outputs of operations that failed")
  func failed() throws {
    try map("--show", "failed").run().expect(
      "out 1\n",
      stderr: "err 1\nopool: 2 (1): failed: exit code 1: echo out '1'; echo err '1' >&2; exit '1'\n"
        + "opool: 2 succeeded, 1 failed in T\n",
      exit: 1
    )
  }

  @Test("none prints no outputs; a failure has the end of its own")
  func none() throws {
    try map("--show", "none", "-k").run().expect(
      "",
      stderr: "opool: 2 (1): failed: exit code 1: echo out '1'; echo err '1' >&2; exit '1'\n"
        + "opool: 2: its error output:\n  err 1\nopool: 2 succeeded, 1 failed in T\n",
      exit: 1
    )
    try map("--show", "none", "-q").run().expect(
      "",
      stderr: "opool: 2 (1): failed: exit code 1: echo out '1'; echo err '1' >&2; exit '1'\n",
      exit: 1
    )
  }

  @Test("Results have what is not shown, and a later run of the journal prints nothing of it")
  func kept() throws {
    let map = "opool map --journal j -q"
    let run = try Opool.shell(
      "\(map) --show none --results r 'echo {}' ::: a b; \(map) --resume 'echo {}' ::: a b c"
    ).run().expect("c\n", stderr: "")
    #expect(try run.results("r").map(\.stdoutBytes) == [2, 2])
  }
}

/// Contract: what a user wants to be done at the end is done once, and changes nothing of the run.
@Suite("--on-end")
struct EndCommandTests {
  private static let line = "echo $OPOOL_EXIT_CODE $OPOOL_SUCCEEDED $OPOOL_FAILED"

  @Test("is told how the run has ended, behind the last line of opool, and prints beside outputs")
  func told() throws {
    try Opool("map", "-j1", "--on-end", Self.line, "echo {}; exit {}", ":::", "0", "1", "0").run()
      .expect(
        "0\n1\n0\n",
        stderr: "opool: 2 (1): failed: exit code 1: echo '1'; exit '1'\n"
          + "opool: 2 succeeded, 1 failed in T\n1 2 1\n",
        exit: 1
      )
  }

  @Test("is executed, too, when something else has ended the run")
  func early() throws {
    try Opool("map", "-q", "--deadline", "0.2", "--on-end", Self.line, "sleep {}", ":::", "1000")
      .run().expect("", stderr: "opool: the deadline has passed\n124 0 0\n", exit: 124)
  }

  @Test(
    "may fail, which is told, and does not change the exit code",
    arguments: [
      ("exit 3", "exit code 3"), ("kill -9 $$", "signal 9"),
    ]
  )
  func failing(_ line: String, _ status: String) throws {
    try Opool("map", "-q", "--on-end", line, "echo", ":::", "a").run()
      .expect("a\n", stderr: "opool: --on-end: \(status)\n")
  }

  /// The standard input may be that of commands, or hold the inputs.
  @Test("reads nothing of the standard input, and uses the shell of the run")
  func environment() throws {
    let line = "cat; x=${BASH}; echo ${x##*/}"
    try Opool("map", "-q", "--shell", "bash", "--on-end", line, "echo", ":::", "a").stdin("x\n")
      .run().expect("a\n", stderr: "bash\n")
  }
}

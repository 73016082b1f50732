import PoolTestSupport
import Testing

/// Contract: where standard error is no terminal, a run says from time to time how far it is.
@Suite("Lines about the progress of a run")
struct ProgressReportTests {
  @Test("are written while something executes, as often as wanted")
  func lines() throws {
    // Ends when its run has reported twice; the pattern is not that of the command itself, which
    // the failure names.
    let wait = "until [ $(grep -c '[1] exec' .stderr) -ge 2 ]; do sleep 0.01; done"
    let run = try Opool(
      "map",
      "-j1",
      "--progress-every",
      "50ms",
      "[ {} = 1 ] && exit 1; [ {} = 3 ] || \(wait)",
      ":::",
      "1",
      "2",
      "3"
    ).run()
    run.expect("", exit: 1)
    let lines = run.stderr.split(separator: "\n").filter { $0.contains(" of 3 done") }
    #expect(lines.count >= 2)
    for line in lines {
      #expect(
        try
          /opool: [012] of 3 done(, 1 failed)?, 1 executing \([123] \([123]\) 0:[0-9]{2}\)(, about [0-9]:[0-9]{2} left)?/
          .wholeMatch(in: line) != nil,
        "\(line)"
      )
    }
  }

  @Test("are written with -q only if they are asked for, and not with 0")
  func quiet() throws {
    let wait = "until grep -q executing .stderr; do sleep 0.01; done; : {}"
    try Opool("map", "-qj1", "--progress-every", "50ms", wait, ":::", "1").run().expect("")
      .says("opool: 0 of 1 done, 1 executing (1 (1) 0:00)\n")
    for options in [["--progress-every", "0"], []] {
      let run = try Opool(["map"] + options + ["sleep", ":::", "0.2"]).run()
      run.expect("", stderr: "opool: 1 succeeded in T\n")
    }
  }

  @Test("are written to a terminal that cannot show a progress line, too")
  func dumbTerminal() throws {
    let run = try Opool.onTerminal(
      "exec opool map --progress-every 50ms 'read x < go; echo {}' ::: a",
      pipes: ["go"],
      terminal: "dumb"
    )
    #expect(run.terminal.wait { $0.transcript.contains("0 of 1 done, 1 executing (1 (a) 0:0") })
    try run.release("go")
    try run.wait().expect()
    #expect(!run.terminal.transcript.contains("\u{1B}"))
  }

  /// The first three end at once, and the last never begins.
  @Test("name what does not end, in each line")
  func hanging() throws {
    let lines = [
      #"{"id":"a","shell":"true"}"#, #"{"id":"b","shell":"true"}"#,
      #"{"id":"slow","shell":"until [ $(grep -c '[s]tuck 0:0' .stderr) -ge 3 ]; do sleep 0.01; done"}"#,
      #"{"id":"stuck","shell":"until [ $(grep -c '[s]tuck 0:0' .stderr) -ge 6 ]; do sleep 0.01; done"}"#,
      #"{"id":"after","shell":"true","after":["stuck"]}"#,
    ]
    let run = try Opool("run", "-j2", "--progress-every", "20ms", "-")
      .stdin(lines.joined(separator: "\n")).run().expect("")
    let reports = run.stderr.split(separator: "\n").filter { $0.contains("of 5 done") }
    let begun = reports.drop { !$0.contains("stuck") }
    #expect(begun.count >= 6)
    #expect(begun.allSatisfy { $0.contains("stuck 0:0") }, "\(begun)")
    let alone = begun.filter { $0.contains("1 executing (stuck 0:0") }
    #expect(
      alone.last?.hasSuffix("; 1 slot idle: everything left waits for stuck") == true,
      "\(alone)"
    )
  }
}

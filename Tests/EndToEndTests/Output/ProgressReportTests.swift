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
        try /opool: [012] of 3 done(, 1 failed)?, 1 executing(, about [0-9]:[0-9]{2} left)?/
          .wholeMatch(in: line) != nil,
        "\(line)"
      )
    }
  }

  @Test("are written with -q only if they are asked for, and not with 0")
  func quiet() throws {
    let wait = "until grep -q executing .stderr; do sleep 0.01; done; : {}"
    try Opool("map", "-q", "--progress-every", "50ms", wait, ":::", "1").run().expect("")
      .says("opool: 0 of 1 done, 1 executing\n")
    for options in [["--progress-every", "0"], []] {
      let run = try Opool(["map"] + options + ["sleep", ":::", "0.2"]).run()
      run.expect("", stderr: "opool: 1 succeeded in T\n")
    }
  }
}

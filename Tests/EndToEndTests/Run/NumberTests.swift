import PoolTestSupport
import Testing

/// Numbers that come from outside are an error or saturate; they never crash a program.
@Suite("Numbers from outside", .timeLimit(.minutes(10)))
struct NumberTests {
  /// `Scripts/verify/numbers` has thousands of rounds.
  @Test("of options, manifests, journals, messages and clocks crash no program", .needsPython)
  func fuzz() throws {
    let folder = #"$(dirname "$(command -v opool)")"#
    let script = #"python3 -B "$REPOSITORY/Scripts/verify/numbers" 60 0 "\#(folder)""#
    let run = try Opool.shell(script).run()
    run.expect("60 rounds with seed 0: 0 crashes\n")
  }

  /// The first digits, since the run itself may take seconds.
  @Test(
    "of a clock before 1970, or after 2262, are in the results",
    .enabled(if: PreloadedFaults.areThere),
    arguments: [("-3600", "-3"), ("-9223372037", "-92233720"), ("9223372037", "92233720")]
  )
  func clock(start: String, seconds: String) throws {
    let opool = try Opool("map", "-q", "--results", "r", "--joblog", "l", "echo", ":::", "1")
    let run = try opool.fault("CLOCK_AT", start).run()
    run.expect("1\n")
    #expect(run.folder.text(of: "r").contains(#""startedAt":\#(seconds)"#))
    #expect(try run.results("r").map(\.outcome) == ["succeeded"])
  }

  @Test("make expected durations as long as they can be, and longer ones no error")
  func expectations() throws {
    let lines = """
      {"id":"a","run":["true"],"expected":1e10}
      {"run":["true"],"after":["a"],"expected":1e300}
      """
    for option in ["-q", "--dry-run", "--progress-every=0.001"] {
      try Opool("run", "--order", "critical-path", option, "m").file("m", lines).run().expect()
    }
  }

  @Test("of bytes of a sparse file are more than the memory: the manifest is refused")
  func sparse() throws {
    let script = "truncate -s 300G m; opool run m"
    try Opool.shell(script).run().expect("", exit: 3)
      .says("opool: the manifest 'm' cannot be read: Cannot allocate memory")
  }
}

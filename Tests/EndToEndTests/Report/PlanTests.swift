import PoolTestSupport
import Testing

/// Contract: `opool plan` is a dry run, and `--simulate` says how long a run would take.
@Suite("Plans", .timeLimit(.minutes(5)))
struct PlanTests {
  private static let manifest = """
    {"id":"a","shell":"sleep 0.3","expected":3}
    {"id":"b","shell":"sleep 0.3","expected":3}
    {"id":"c","shell":"true","after":["a","b"],"expected":1}
    {"id":"d","shell":"true","expected":2,"limit":{"net":1}}

    """

  @Test("it is the same as run --dry-run")
  func alias() throws {
    let opool = try Opool("plan", "m").file("m", Self.manifest)
    let plan = try opool.run().expect(stderr: "").stdout
    #expect(try opool.again("run", "--dry-run", "m").run().expect(stderr: "").stdout == plan)
    #expect(plan.hasSuffix("4 operations, 2 dependencies, 2 levels, widest 3\n"))
    try opool.again("plan", "none").run().expect("", exit: 3)
  }

  @Test("each width has its time, and what binds, from the expected durations")
  func expected() throws {
    let opool = try Opool("plan", "--simulate", "1,2,4", "m").file("m", Self.manifest)
    try opool.run().expect(
      """
         1 slot  9.00 s  bound by slots
        2 slots  5.00 s  bound by slots
        4 slots  4.00 s  bound by the longest chain of operations

      """,
      stderr: ""
    )
    try opool.again("plan", "--json", "--simulate", "2", "m").run().expect(
      #"{"type":"forecast","slots":2,"elapsed":5.000000,"bound":"slots"}"# + "\n",
      stderr: ""
    )
    try opool.again("plan", "--simulate", "0", "m").run().expect("", exit: 2)
      .says("--simulate needs numbers up to 10000")
  }

  @Test("measured durations count before expected ones, and unknown ones as the mean")
  func measured() throws {
    let script = """
      opool run -q -j2 --events e m
      sed 's/"id":"b"/"id":"x"/;s/"b"/"x"/;s/,"expected":3//' m > n
      opool plan --simulate 1 --history e n | sed 's/ [0-9.]* m*s / T /'
      """
    try Opool.shell(script).file("m", Self.manifest).run().expect(
      "  1 slot  T  bound by slots\n",
      stderr: "opool: 1 operation of unknown duration: counted with the mean\n"
    )
  }
}

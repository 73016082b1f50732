import PoolTestSupport
import Testing

/// A disk may fail, or take long, only when it is to have what was written.
@Suite("A sync", .enabled(if: PreloadedFaults.areThere), .timeLimit(.minutes(5)))
struct SyncFailureTests {
  @Test("of a target that fails ends a run with 5, is told, and the journal vouches for nothing")
  func failing() throws {
    let opool = try Opool("map", "-q", "--journal", "J", "--results", "lines", "echo", ":::", "a")
    let run = try opool.fault("SYNC_FAILS", "lines").run()
    run.expect("a\n", exit: 5)
      .says("opool: the results may not be on the disk: fdatasync: Input/output error")
    let resumed = opool.again(
      "map",
      "-q",
      "--journal",
      "J",
      "--resume",
      "--results",
      "other",
      "echo",
      ":::",
      "a"
    )
    try resumed.fault("SYNC_FAILS", "none").run().expect("")
    #expect(try run.results("other").map(\.id) == ["1"])
  }

  @Test("that hangs does not hold up a run that must end")
  func hanging() throws {
    let opool = try Opool(
      "map",
      "-q",
      "--deadline",
      "1",
      "--journal",
      "J",
      "--results",
      "lines",
      "echo {}; exec sleep {}",
      ":::",
      "0",
      "600"
    )
    try opool.fault("SYNC_HANGS", "lines").run().expect(exit: 124)
  }
}

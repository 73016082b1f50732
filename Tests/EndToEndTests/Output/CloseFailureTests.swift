import PoolTestSupport
import Testing

/// A network file system may report only at `close` that it could not keep what was written.
@Suite(
  "A failure at close",
  .enabled(if: PreloadedFaults.areThere),
  .timeLimit(.minutes(5))
)
struct CloseFailureTests {
  private static let reason = "Disk quota exceeded"

  @Test("of the standard output ends a run with 5, and is told")
  func standardOutput() throws {
    let run = try Opool.shell("opool map echo ::: a > out").fault("CLOSE_FAILS", "out").run()
    run.expect("", exit: 5).says("opool: standard output: \(Self.reason)")
  }

  @Test(
    "of results or job log ends a run with 5, and is told",
    arguments: ["--results", "--joblog"]
  )
  func lines(_ option: String) throws {
    let run = try Opool("map", option, "lines", "true", ":::", "a").fault("CLOSE_FAILS", "lines")
      .run()
    run.expect("", exit: 5).says("opool: lines: \(Self.reason)")
  }

  @Test("of results in a standard stream ends a run with 5", arguments: ["1", "2"])
  func streams(_ number: String) throws {
    let script = "opool map --results /dev/fd/\(number) true ::: a \(number)> out"
    try Opool.shell(script).fault("CLOSE_FAILS", "out").run().expect(exit: 5)
  }

  @Test("of a file in a folder of results ends a run with 5, and the file is not there")
  func folder() throws {
    let opool = try Opool("map", "--results", "R/", "echo", ":::", "a")
    let run = try opool.fault("CLOSE_FAILS", ".opool.stdout").run()
    run.expect("", exit: 5).says(": \(Self.reason)")
    #expect(try opool.folder.names(in: "R/1/a") == ["seq", "stderr"])
  }

  @Test("of a journal that is not synced ends a run with 5, and is told")
  func journal() throws {
    let opool = try Opool("map", "--journal", "J", "--durability", "none", "echo", ":::", "a")
    try opool.fault("CLOSE_FAILS", "J").run().expect("a\n", exit: 5).says(Self.reason)
  }

  @Test(
    "of the standard output of a subcommand ends it with 5",
    arguments: [
      "journal export J", "journal verify J", "help", "map --dry-run echo ::: a", "doctor",
    ]
  )
  func subcommands(_ words: String) throws {
    let opool = try Opool("map", "-q", "--journal", "J", "true", ":::", "a")
    try opool.run().expect("")
    let run = try opool.again(shell: "opool \(words) > out").fault("CLOSE_FAILS", "out").run()
    run.expect(exit: 5).says("opool: standard output: \(Self.reason)")
  }

  @Test("does not let the journal count an output as printed")
  func marks() throws {
    let script = "opool map --journal J echo ::: a > out"
    let opool = try Opool.shell(script).fault("CLOSE_FAILS", "out")
    try opool.run().expect("", exit: 5)
    let resumed = opool.again("map", "-q", "--journal", "J", "--resume", "echo", ":::", "a")
    try resumed.fault("CLOSE_FAILS", "none").run().expect("a\n")
  }

  /// Files without a name, as a large output has one until it is stored.
  private static let unnamed = "#* (deleted)"

  @Test(
    "of the file of a large output fails the operation, and its worker goes on",
    arguments: [[], ["--line-buffer"]]
  )
  func largeOutput(_ options: [String]) throws {
    let arguments = ["-q", "-j1", "--journal", "j", "--results", "r"] + options
    let inputs = ["head -c {} /dev/zero", ":::", "300000", "20", "30000"]
    let opool = try Opool(["map"] + arguments + inputs)
    let results = try opool.fault("CLOSE_FAILS", Self.unnamed).run().expect(exit: 1).results("r")
    #expect(results.map(\.outcome) == ["failed", "succeeded", "succeeded"])
    #expect(results.first?.message?.contains(Self.reason) == true, "\(results)")
    #expect(results.map(\.worker) == [1, 1, 1])
    #expect(results.map(\.stdoutBytes).suffix(2) == [20, 30_000])
  }
}

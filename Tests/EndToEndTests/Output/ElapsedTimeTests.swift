import PoolTestSupport
import Testing

/// How long an execution took is what its worker has measured, whenever the coordinator hears of
/// it.
@Suite("Elapsed times", .timeLimit(.minutes(10)))
struct ElapsedTimeTests {
  @Test("no command takes no time, however many messages come at once")
  func short() throws {
    let script = "opool map -q --results results true ::: $(seq 500)"
    let run = try Opool.shell(script).run().expect("", stderr: "")
    let records = try run.results()
    #expect(records.count == 500)
    for record in records {
      #expect(try #require(record.finished) > #require(record.started), "\(record.id)")
    }
  }

  @Test("a limit relative to what short commands take ends none of them")
  func relative() throws {
    try Opool.shell("opool map -q --timeout 200% true ::: $(seq 1000)").run().expect("", stderr: "")
  }

  @Test("a command that cannot be started took some time, too")
  func unstarted() throws {
    let arguments = ["map", "-q", "--results", "results", "--", "./missing", "{}", ":::", "a"]
    let run = try Opool(arguments).run().expect(exit: 1)
    let record = try #require(try run.results().first)
    #expect(try #require(record.finished) > #require(record.started))
  }

  /// The command ends while the coordinator is stopped; the bound is what the script has measured.
  @Test("the time for which the coordinator is stopped does not count")
  func stopped() throws {
    let run = try Opool.shell(
      """
      opool map -q -j1 --results results \\
        ': {}; touch begun; until test -e go; do sleep 0.01; done; touch ended' ::: a & pid=$!
      until test -e begun; do sleep 0.01; done; begin=$(date +%s%N)
      kill -STOP $pid; touch go
      until test -e ended; do sleep 0.01; done
      echo $(($(date +%s%N) - begin))
      sleep 1.5; kill -CONT $pid; wait $pid
      """
    ).run().expect(stderr: "")
    let limit = try #require(Double(run.stdout.split(separator: "\n").joined()))
    let record = try #require(try run.results().first)
    let elapsed = try #require(record.finished) - #require(record.started)
    // The process itself ends a little after its last file is there.
    #expect(elapsed > 0 && elapsed < limit / 1e9 + 0.5)
  }
}

import PoolTestSupport
import Testing

/// `--chaos` makes the faults that it names, and a run survives them.
@Suite("--chaos")
struct ChaosTests {
  /// A command that lasts as long as its worker is hit by every fault, however late that comes.
  @Test(
    "Each fault befalls executions at its rate, and is told as what it looks like",
    arguments: [
      ("kill=100%", "lost workerDied", "was ended by signal 9, which was not the pool's"),
      ("stop=100%", "lost workerDied", "was stopped by a signal, and said nothing for too long"),
      ("garble=100%", "lost violation", "which is over the limit"),
      (
        "kill=0%,stop=0%,garble=0%", "timedOut timeout 15",
        "it executed for longer than its timeout"
      ),
    ]
  )
  func faults(_ rates: String, _ ending: String, _ message: String) throws {
    let timeout = rates.contains("100%") ? "1000" : "0.05"
    let run = try Opool(
      "map",
      "--chaos",
      rates,
      "--retries",
      "1",
      "--heartbeat",
      timeout == "1000" ? "1" : "600",
      "--timeout",
      timeout,
      "--results",
      "results",
      "while kill -0 $PPID; do :; done 2>>gone; : {}",
      ":::",
      "1"
    ).run()
    run.expect("", exit: 1).says("opool: 1 (1): attempt 1: ").says(message)
    let results = try run.resultsByID()
    #expect(results.mapValues(\.ending) == ["1": ending])
    #expect(results["1"]?.attempt == 2)
  }

  @Test("Many faults cost attempts, and no operation, nor an output")
  func survival() throws {
    let numbers = (1...60).map { String($0) }
    let run = try Opool(
      ["map", "-k", "-j4", "--chaos", "kill=20%,garble=20%", "--seed", "7", "--retries", "1000"]
        + ["--results", "results", "echo", ":::"] + numbers
    ).run()
    run.expect(numbers.map { $0 + "\n" }.joined()).says("opool: 60 succeeded in T\n")
    let attempts = try run.results().map(\.attempt)
    #expect(attempts.count == 60)
    #expect(attempts.contains { $0 > 1 }, "no fault befell any of them")
  }

  @Test("Workers that cannot be started are started later, which costs no attempt")
  func spawns() throws {
    // The first spawn fails with this seed.
    let run = try Opool(
      "map",
      "-j1",
      "--chaos",
      "spawnfail=50%",
      "--seed",
      "4",
      "--results",
      "results",
      "echo",
      ":::",
      "1"
    ).run()
    run.expect("1\n")
      .says("opool: worker 1 could not be started: chaos: a spawn fails on purpose\n")
    #expect(try run.results().map(\.attempt) == [1])
  }

  @Test("The seed decides which spawns fail")
  func seed() throws {
    func failures(_ seed: String) throws -> Int {
      let run = try Opool(
        "map",
        "-j1",
        "--chaos",
        "spawnfail=60%",
        "--seed",
        seed,
        "echo",
        ":::",
        "1"
      ).run().expect("1\n")
      return run.stderr.split(separator: "\n").count { $0.contains("on purpose") }
    }
    let counts = try ["0", "4", "11", "12"].map(failures)
    #expect(try ["0", "4", "11", "12"].map(failures) == counts)
    #expect(Set(counts).count > 1)
  }
}

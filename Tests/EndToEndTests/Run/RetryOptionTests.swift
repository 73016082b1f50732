import Testing

/// What is tried again, and when.
@Suite("--retry-on and --retry-delay")
struct RetryOptionTests {
  private static let manifest = """
    {"id": "exit", "shell": "exit 3"}
    {"id": "signal", "shell": "kill -9 $$"}
    {"id": "spawn", "run": ["./no-such-program"]}
    {"id": "timeout", "shell": "exec tail -f /dev/null", "timeout": 0.05}
    {"id": "workerDied", "shell": "kill -9 $PPID"}
    {"id": "fine", "shell": "true"}
    """

  @Test(
    "Only attempts that failed for one of the causes are repeated",
    arguments: [
      [], ["exit"], ["signal", "workerDied"], ["spawn", "timeout"], ["error", "violation"],
    ]
  )
  func causes(_ causes: [String]) throws {
    let option = causes.isEmpty ? [] : ["--retry-on", causes.joined(separator: ",")]
    let run = try Opool(["run", "--retries", "1", "--results", "results"] + option)
      .stdin(Self.manifest).run()
    run.expect("", exit: 1)
    let attempts = try run.resultsByID().mapValues(\.attempt)
    for id in ["exit", "signal", "spawn", "timeout", "workerDied"] {
      let isRepeated = causes.isEmpty || causes.contains(id)
      #expect(attempts[id] == (isRepeated ? 2 : 1), "\(id)")
    }
    #expect(attempts["fine"] == 1)
  }

  /// 50, 100, 200 and 400 ms must pass; with delays that do not grow, 300 ms would suffice.
  @Test("Each attempt waits twice as long as the one before")
  func delay() throws {
    let run = try Opool(
      "map",
      "--retries",
      "4",
      "--retry-delay",
      "0.05",
      "--results",
      "results",
      "false",
      ":::",
      "1"
    ).run()
    run.expect("", exit: 1)
    let result = try #require(try run.resultsByID()["1"])
    #expect(result.attempt == 5)
    #expect(try #require(result.started) >= 0.75)
  }

  @Test("What waits for its next attempt does not hold up others")
  func others() throws {
    let manifest = """
      {"id": "failing", "shell": "test -e done"}
      {"id": "other", "shell": "touch done"}
      """
    let run = try Opool(
      "run",
      "-j1",
      "--retries",
      "1",
      "--retry-delay",
      "0.1",
      "--results",
      "results"
    ).stdin(manifest).run().expect("")
    let order = try run.results().map { "\($0.id) \($0.attempt)" }
    #expect(order == ["other 1", "failing 2"])
  }
}

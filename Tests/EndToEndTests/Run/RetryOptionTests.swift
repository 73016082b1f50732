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

  @Test("Only the exit codes that are named are repeated, by the option and by a line's field")
  func exitCodes() throws {
    let manifest = """
      {"id": "seven", "shell": "exit 7"}
      {"id": "eight", "shell": "exit 8"}
      {"id": "own", "shell": "exit 8", "retryOn": ["exit=8", "signal"]}
      {"id": "none", "shell": "exit 7", "retryOn": "signal"}
      """
    let options = ["--retries", "1", "--retry-on", "exit=7,exit=75", "--retry-delay", "0"]
    let run = try Opool(["run", "--results", "results"] + options).stdin(manifest).run()
    let attempts = try run.expect("", exit: 1).resultsByID().mapValues(\.attempt)
    #expect(attempts == ["seven": 2, "eight": 1, "own": 2, "none": 1])
    let stream = try Opool(["run", "--stream", "--results", "results"] + options).stdin(manifest)
      .run()
    #expect(try stream.resultsByID().mapValues(\.attempt) == attempts)
  }

  /// 100 and 200 ms must pass at least.
  @Test("Without a delay of the user's an operation is not tried again at once")
  func standardDelay() throws {
    let run = try Opool("map", "--retries", "2", "--results", "results", "false", ":::", "1").run()
    let result = try #require(try run.expect("", exit: 1).resultsByID()["1"])
    #expect(result.attempt == 3)
    #expect(try #require(result.started) >= 0.3)
  }

  @Test("A line's own delay counts for it alone")
  func ownDelay() throws {
    let manifest = """
      {"id": "late", "shell": "test -e done", "retryDelay": 0.3}
      {"id": "soon", "shell": "test $OPOOL_ATTEMPT = 2 && touch done", "retryDelay": 0}
      """
    let run = try Opool("run", "--retries", "1", "--retry-delay", "600", "--results", "results")
      .stdin(manifest).run().expect("")
    #expect(try run.results().map(\.id) == ["soon", "late"])
  }

  @Test("A report says how many operations wait to be tried again, and for how long")
  func report() throws {
    let run = try Opool.shell(
      """
      mkfifo said up; exec 3<>said 4<>up
      opool map -q -j1 --retries 1 --retry-delay 600 'echo up > up; false {}' ::: a b 2> said &
      read line <&4; read line <&4
      until case $line in *" 2 to retry in "1[0-9]:*) true;; *) false;; esac; do
        kill -USR1 $!; read line <&3
      done
      kill $!; wait $!; echo "$? ${line%%in *}"
      """
    ).run()
    run.expect("143 opool: 0/2, 0 executing, 2 to retry \n")
  }
}

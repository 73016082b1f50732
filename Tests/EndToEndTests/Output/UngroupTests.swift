import PoolTestSupport
import Testing

/// Commands write to the streams of opool themselves.
@Suite("Outputs that are not grouped")
struct UngroupTests {
  @Test("A command has opool's own streams, with what they are")
  func own() throws {
    let run = try Opool.shell(
      """
      exec 3>file
      opool map -q -u 'readlink /proc/self/fd/1; readlink /proc/self/fd/2 >&2; :' ::: a >&3 2>err
      readlink /proc/self/fd/3; cat file err
      """
    ).run()
    let lines = run.stdout.split(separator: "\n").map(String.init)
    #expect(lines.count == 3 && lines[0] == lines[1] && lines[2].hasSuffix("/err"))
    run.expect(nil, stderr: "")
  }

  @Test("On a terminal, commands see the terminal")
  func terminal() throws {
    let run = try Opool.onTerminal("opool map -u '[ -t 1 ] && [ -t 2 ] && echo {}' ::: both 2>&1")
    _ = try run.wait()
    #expect(run.lines.filter { !$0.isEmpty } == ["both", "opool: 1 succeeded in T"])
  }

  /// Half a line is seen while the command executes.
  @Test(
    "What is written is there at once, without waiting for its line",
    arguments: ["", "--worker 1:opool-worker"]
  )
  func early(_ worker: String) throws {
    try Opool.shell(
      """
      mkfifo out go
      opool map -q -u \(worker) 'printf {}; cat go' ::: a >out & exec 8<out
      dd bs=1 count=1 <&8 2>/dev/null; echo
      echo late >go; cat <&8
      """
    ).run().expect("a\nlate\n", stderr: "")
  }

  /// The command that takes it writes by itself, and may do so before.
  @Test("An operation whose output another takes is captured, and printed as it comes")
  func inputs() throws {
    let run = try Opool("run", "-q", "-u").stdin(
      """
      {"id": "a", "shell": "echo 1"}
      {"id": "b", "shell": "cat $OPOOL_INPUT_x; echo 2", "inputs": {"x": "a"}}
      """
    ).run().expect(stderr: "")
    #expect(run.stdout.split(separator: "\n").sorted() == ["1", "1", "2"])
  }

  @Test("Results have no output of what was not captured, and all else")
  func results() throws {
    let run = try Opool("map", "-q", "-u", "--results", "results", "echo", ":::", "a").run()
    run.expect("a\n", stderr: "")
    let result = try run.results()[0]
    #expect(result.outcome == "succeeded" && result.exit == 0 && result.stdoutBytes == 0)
  }

  /// Its own descriptor must not keep the pipe open.
  @Test(
    "Lines of results in a stream that commands write to are refused",
    arguments: ["-", "/dev/stdout", "/dev/fd/1", "/dev/stderr", "both"]
  )
  func resultsInStream(_ name: String) throws {
    let run = try Opool.shell(
      "opool map -u --results \(name) 'touch e; echo' ::: a >both; echo $?; ls"
    )
    .run()
    run.expect("2\nboth\n").says("--line-buffer")
  }

  @Test("The reader sees the end when the run ends, and a reader that goes ends the commands")
  func ends() throws {
    try Opool.shell("opool map -q -u echo ::: a b | sort").run().expect("a\nb\n", stderr: "")
    try Opool.shell(
      "{ opool map -j1 -u 'yes {}' ::: $(seq 1000); echo $? >code; } | head -n 1; cat code"
    ).run().expect("1\n141\n", stderr: "")
  }

  @Test("A killed run leaves no command", arguments: ["KILL", "TERM"])
  func killed(_ signal: String) throws {
    let run = try Opool.shell(
      """
      mkfifo out
      opool map -q -u 'echo {}; sleep 1000' ::: a >out & pid=$!; exec 8<out
      read -r line <&8; kill -\(signal) $pid; cat <&8; wait $pid; echo "$line"
      """
    ).run()
    run.expect("a\n")
  }

  @Test("A dead worker is replaced, and its operation tried again")
  func replaced() throws {
    try Opool(
      "map",
      "-q",
      "-u",
      "--retries",
      "1",
      "echo {} $OPOOL_ATTEMPT; [ $OPOOL_ATTEMPT = 2 ] || kill -9 $PPID; sleep 0.1",
      ":::",
      "a"
    ).run().expect("a 1\na 2\n", stderr: "")
  }
}

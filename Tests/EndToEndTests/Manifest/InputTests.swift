import PoolSystem
import PoolTestSupport
import Testing

/// Outputs of operations, given to others.
@Suite("Inputs of a manifest")
struct InputTests {
  private static let testWorker = "1:env OPOOL_WORKER=1 test-worker"

  private func run(_ manifest: String, _ options: String...) throws -> OpoolRun {
    try Opool(["run", "--results", "results"] + options).stdin(manifest).run()
  }

  /// As a file of its own where the worker can open it, and in a frame where it cannot.
  @Test("Ten megabytes of any bytes arrive whole", arguments: [nil, "1:opool-worker"])
  func large(_ worker: String?) throws {
    let manifest = """
      {"id": "make", "shell": "head -c 10000000 /dev/urandom | tee copy"}
      {"id": "look", "shell": "cmp copy \\"$OPOOL_INPUT_x\\" && wc -c < \\"$OPOOL_INPUT_x\\" > count", "inputs": {"x": "make"}}
      """
    let options = worker.map { ["--worker", $0] } ?? []
    let run = try Opool(["run", "--results", "results"] + options).stdin(manifest).run()
      .expect(stderr: "opool: 2 succeeded in T\n")
    #expect(run.stdoutBytes == run.folder.bytes(of: "copy"))
    #expect(run.folder.text(of: "count") == "10000000\n")
    #expect(try run.results().map(\.stdoutBytes) == [10_000_000, 0])
  }

  /// Each by its name, also the same one twice, and one that is empty.
  @Test("An operation is given several inputs, and several are given one")
  func several() throws {
    let manifest = """
      {"id": "a", "shell": "echo 1; echo 2"}
      {"id": "b", "run": ["seq", "3", "4"]}
      {"id": "none", "run": ["true"]}
      {"id": "ab", "shell": "paste $OPOOL_INPUT_left $OPOOL_INPUT_right $OPOOL_INPUT_no", "inputs": {"left": "a", "right": "b", "no": "none"}}
      {"id": "aa", "shell": "cat $OPOOL_INPUT_A $OPOOL_INPUT_a", "inputs": {"A": "a", "a": "a"}}
      {"id": "then", "shell": "wc -l < $OPOOL_INPUT_x; [ -e $OPOOL_INPUT_x ]", "inputs": {"x": "ab"}}
      """
    try run(manifest, "-k", "-q").expect("1\n2\n3\n4\n1\t3\t\n2\t4\t\n1\n2\n1\n2\n2\n")
  }

  /// JSON becomes a file, and a command's JSON a value.
  @Test("Results go from kinds to commands, and outputs from commands to kinds")
  func kinds() throws {
    let manifest = """
      {"id": "s", "kind": "asyncSum", "payload": {"numbers": [1, 1]}}
      {"id": "c", "shell": "echo 40"}
      {"id": "t", "kind": "sumOfInputs", "inputs": {"x": "s", "y": "c"}}
      {"id": "n", "kind": "noop"}
      {"id": "f", "shell": "cat $OPOOL_INPUT_t $OPOOL_INPUT_n", "inputs": {"t": "t", "n": "n"}}
      """
    let run = try run(manifest, "-k", "--worker", Self.testWorker)
    run.expect("40\n42null", stderr: "opool: 5 succeeded in T\n")
    #expect(try run.resultsByID()["t"]?.result?.text == "42")
  }

  /// Of the minimal profile: it makes inputs as any other.
  @Test("The result of a worker in Python is given to a command", .needsPython)
  func python() throws {
    let manifest = """
      {"id": "r", "kind": "reverse", "payload": "olleh"}
      {"shell": "cat $OPOOL_INPUT_r", "inputs": {"r": "r"}}
      """
    try run(manifest, "--worker", "1:python3 \"$PYTHON_WORKER\"").expect("\"hello\"")
  }

  /// There is nothing to give.
  @Test("An operation whose input failed is skipped")
  func failure() throws {
    let manifest = """
      {"id": "bad", "shell": "echo some; exit 3"}
      {"id": "good", "shell": "echo some"}
      {"id": "look", "run": ["touch", "ran"], "inputs": {"x": "bad", "y": "good"}}
      {"id": "then", "run": ["touch", "ran"], "inputs": {"x": "look"}}
      """
    let run = try run(manifest, "-q").expect(exit: 1)
    let results = try run.resultsByID()
    #expect(results["look"]?.ending == "skipped dependency:bad")
    #expect(results["then"]?.ending == "skipped dependency:bad")
    #expect(try run.folder.names().contains("ran") == false)
  }

  /// The input counts for more than the environment; the second attempt has it, too.
  @Test("An input is there whatever the environment says, at each attempt")
  func attempts() throws {
    let manifest = """
      {"id": "a", "shell": "echo given"}
      {"shell": "cat $OPOOL_INPUT_x; echo try >> tries; [ $(wc -l < tries) -eq 2 ]", "inputs": {"x": "a"}, "env": {"OPOOL_INPUT_x": "/dev/null"}, "retries": 1}
      """
    let run = try run(manifest, "-k", "-q").expect("given\ngiven\n")
    #expect(run.folder.text(of: "tries") == "try\ntry\n")
  }

  /// More outputs that wait for their reader than the process may have open files.
  @Test("Many large outputs are given to one operation")
  func many() throws {
    let makers = (0..<400).map { number in
      #"{"id": "p\#(number)", "run": ["head", "-c", "20000", "/dev/zero"]}"#
    }
    let inputs = (0..<400).map { #""i\#($0)": "p\#($0)""# }.joined(separator: ", ")
    let line = #"env | sed -n 's/^OPOOL_INPUT_i[0-9]*=//p' | xargs cat | wc -c > sum"#
    let reader = #"{"id": "sum", "shell": "\#(line)", "inputs": {\#(inputs)}}"#
    let manifest = (makers + [reader]).joined(separator: "\n")
    let command = try Opool.shell("ulimit -n 300; exec opool run -j2 m > /dev/null")
      .file("m", manifest)
    let run = try command.run().expect("", stderr: "opool: 401 succeeded in T\n")
    #expect(run.folder.text(of: "sum") == "8000000\n")
  }

  /// It takes no files, because it may be anywhere.
  @Test("An input that no frame can hold is a failure of the operation, and names the input")
  func tooLarge() throws {
    let manifest = """
      {"id": "make", "run": ["head", "-c", "70000000", "/dev/zero"]}
      {"id": "look", "kind": "bytesOfInput", "payload": {"name": "x"}, "inputs": {"x": "make"}, "retries": 3}
      {"id": "next", "kind": "count"}
      {"id": "then", "kind": "count", "after": ["look"]}
      """
    let run = try Opool("run", "--results", "results", "--worker", Self.testWorker)
      .stdin(manifest).stdout(to: "/dev/null").run().expect(exit: 1)
      .says("-:2: look: failed: its input 'x' from 'make' is not available: ")
    let results = try run.resultsByID()
    #expect(
      results.mapValues(\.ending) == [
        "make": "succeeded", "look": "failed input", "next": "succeeded",
        "then": "skipped dependency:look",
      ]
    )
    #expect(results["look"]?.attempt == 0)
  }

  /// The name is the operation's own; the identifier is not sent.
  @Test("A worker hears the name that a line gives")
  func names() throws {
    let manifest = """
      {"id": "a", "kind": "look", "name": "the look"}
      {"id": "b", "kind": "look", "inputs": {"x": "a"}}
      {"shell": "cat $OPOOL_INPUT_a; echo; cat $OPOOL_INPUT_b", "inputs": {"a": "a", "b": "b"}}
      """
    let run = try run(manifest, "--worker", Self.testWorker).expect()
    let lines = run.stdout.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].contains(#""name":"the look""#))
    #expect(!lines[1].contains(#""name""#) && lines[1].contains(#""inputs":["x"]"#))
  }

  /// The reader was given a file, and ends; nothing of it is left.
  @Test("No input is left behind when a run is interrupted")
  func interruption() throws {
    let manifest = """
      {"id": "a", "run": ["head", "-c", "100000", "/dev/zero"]}
      {"id": "b", "shell": "wc -c < $OPOOL_INPUT_x > up; sleep 1000", "inputs": {"x": "a"}}
      {"id": "c", "run": ["touch", "ran"], "inputs": {"x": "b", "y": "a"}}
      """
    let command = try Opool("run", "--results", "results").stdin(manifest)
    try RunningOpool.makePipe(command.folder.path(of: "up"))
    let running = try command.start()
    #expect(try running.read(pipe: "up") == "100000\n")
    ProcessSignal.interrupt.send(toProcess: running.pid)
    let run = try running.wait().expect(exit: 130)
    let outcomes = try run.resultsByID().mapValues(\.outcome)
    #expect(outcomes == ["a": "succeeded", "b": "cancelled", "c": "cancelled"])
  }
}

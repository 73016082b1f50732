import PoolTestSupport
import Testing

/// What is wrong with a manifest is told before anything is executed.
@Suite("Bad manifests")
struct BadManifestTests {
  /// A manifest's second line, and what is said of it.
  private static let lines: [(line: String, error: String)] = [
    (#"{"run": ["true"]"#, ""),
    (#"not JSON"#, ""),
    (#"[]"#, ""),
    (#"{"run": ["true"], "afer": []}"#, "afer: unknown field; did you mean 'after'?"),
    (#"{"id": "first", "run": ["true"]}"#, "id: "),
    (#"{"run": ["true"], "after": ["nobody"]}"#, "after: "),
    (#"{"run": []}"#, "run: "),
    (#"{"run": "true"}"#, "run: "),
    (#"{"run": ["true"], "shell": "true"}"#, ""),
    (#"{"name": "nothing to do"}"#, ""),
    (#"{"run": ["true"], "timeout": -1}"#, "timeout: "),
    (#"{"run": ["true"], "retries": 1.5}"#, "retries: "),
    (#"{"run": ["true"], "payload": 1}"#, "payload: "),
    (#"{"run": ["true"], "priority": "urgent"}"#, "priority: "),
    (#"{"run": ["true"], "qos": "fast"}"#, "qos: "),
    (#"{"kind": "nope"}"#, "kind: no worker serves 'nope'"),
  ]

  @Test("The deadline runs while the manifest is waited for")
  func deadline() throws {
    let message = "opool: the deadline has passed before the manifest was read\n"
    try Opool.shell("mkfifo m && exec opool run --deadline 0.1 m").run()
      .expect("", stderr: message, exit: 124)
    try Opool.shell("mkfifo m && exec opool run --deadline 0.1 - 0<>m").run()
      .expect("", stderr: message, exit: 124)
  }

  /// Opening a FIFO waits for the other side, which never comes.
  @Test(
    "The deadline runs while files are opened, whichever they are",
    arguments: [
      ("run --stream --deadline 0.1 ff", "the manifest was read"),
      ("map --deadline 0.1 echo :::: ff", "the inputs could be read"),
      ("map --dry-run --deadline 0.1 echo :::: ff", "the inputs could be read"),
      ("map --deadline 0.1 -a ff echo", "the inputs could be read"),
      ("map --deadline 0.1 --pipe -a ff wc", "the inputs could be read"),
      ("map --deadline 0.1 -j ff echo ::: 1", "the number of -j was read"),
      ("map --deadline 0.1 -j ff echo :::: /dev/null", "the number of -j was read"),
      ("run --deadline 0.1 -j ff m", "the number of -j was read"),
      (
        "map --deadline 2 --joblog ff echo ::: 1",
        "the files for results, job log and events were open"
      ),
      (
        "map --deadline 2 --results ff echo ::: 1",
        "the files for results, job log and events were open"
      ),
    ]
  )
  func openings(_ arguments: String, _ step: String) throws {
    try Opool.shell("mkfifo ff && exec opool \(arguments)").run()
      .expect("", stderr: "opool: the deadline has passed before \(step)\n", exit: 124)
  }

  @Test(
    "What was made for a run that the deadline ends before it begins is removed",
    arguments: [
      "--results r --joblog ff", "--results r/ --joblog ff",
    ]
  )
  func nothingLeft(_ options: String) throws {
    try Opool.shell("mkfifo ff; opool map --deadline 0.1 \(options) echo ::: 1; echo $?; ls").run()
      .expect("124\nff\n")
  }

  @Test("A journal that is a FIFO is refused")
  func journal() throws {
    try Opool.shell("mkfifo ff && exec opool map --journal ff echo ::: 1").run()
      .expect("", stderr: "opool: ff: not a regular file\n", exit: 5)
  }

  /// `FILE:LINE: field: what is wrong`, exit code 3, and no trace of the first line.
  @Test("An error names file, line and field, and nothing is executed", arguments: lines)
  func errors(_ bad: (line: String, error: String)) throws {
    let manifest = "{\"id\": \"first\", \"run\": [\"touch\", \"ran\"]}\n\(bad.line)\n"
    let run = try Opool("run", "--results", "results", "m.jsonl").file("m.jsonl", manifest).run()
    run.expect("", exit: 3)
    #expect(run.stderr.hasPrefix("m.jsonl:2: \(bad.error)"))
    #expect(run.stderr.split(separator: "\n").count == 1)
    #expect(try run.folder.names().contains("ran") == false)
    let plan = try Opool("run", "-n", "m.jsonl").file("m.jsonl", manifest).run()
    plan.expect("", stderr: run.stderr, exit: 3)
  }

  /// All of them at once, in the order of the lines.
  @Test("Every error of a manifest is told")
  func several() throws {
    let run = try Opool("run").stdin("{}\n{\"run\": [\"true\"], \"x\": 1}\n!\n").run()
    run.expect("", exit: 3)
    let places = run.stderr.split(separator: "\n").map { $0.prefix(4) }
    #expect(places == ["-:1:", "-:2:", "-:3:"])
  }

  /// The reader knows where to cut.
  @Test("Every operation of a cycle is named")
  func cycle() throws {
    let manifest = """
      {"id": "a", "run": ["touch", "ran"], "after": ["c"]}
      {"id": "b", "run": ["touch", "ran"], "after": ["a"]}
      {"id": "c", "run": ["touch", "ran"], "after": ["b"]}
      {"id": "d", "run": ["touch", "ran"]}
      """
    let run = try Opool("run").stdin(manifest).run().expect("", exit: 3)
    for id in ["a", "b", "c"] { run.says(id) }
    #expect(run.stderr.contains("after: "))
    #expect(try run.folder.names().contains("ran") == false)
  }

  @Test(
    "Habits of other programs' files are told what a manifest has",
    arguments: [
      (#"[{"id": 1}]"#, "column 1: expected an object: each line is one, without '[' around all"),
      (#"{id: "a"}"#, "column 2: expected a key in double quotes"),
      (#"{"id":"a","cmd":["ls"]}"#, "cmd: unknown field; use 'run' for an array of words, or"),
      (#"{"id":"a","run":["ls"],"depends_on":["b"]}"#, "depends_on: unknown field; use 'after'"),
      (#"{"id":"a","run":["ls"],"afte":["b"]}"#, "afte: unknown field; did you mean 'after'?"),
      ("7", "column 1: expected an object\n"),
    ]
  )
  func habits(_ line: String, _ message: String) throws {
    try Opool("run").stdin(line + "\n").run().expect("", exit: 3).says("-:1: ").says(message)
  }

  /// Neither text nor there.
  @Test("A manifest that cannot be read is an error")
  func unreadable() throws {
    try Opool("run").stdin([0x7B, 0xFF, 0x7D, 0x0A]).run().expect("", exit: 3).says("-:1: ")
    try Opool("run", "missing").run().expect("", exit: 3).says("No such file or directory")
    try Opool("run", ".").run().expect("", exit: 3).says("opool: ")
  }

  /// There is nothing wrong with nothing.
  @Test("An empty manifest succeeds")
  func empty() throws {
    try Opool("run").run().expect("", stderr: "opool: 0 succeeded in T\n")
    try Opool("run").stdin("# nothing\n\n").run().expect("")
  }
}

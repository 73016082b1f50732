import PoolModel
import PoolTestSupport
import Testing

/// Contract: `run --stream` begins with what it was given, and is a run like any other.
@Suite("Streamed manifests")
struct StreamTests {
  private func run(_ options: String, _ lines: String...) throws -> OpoolRun {
    try Opool.shell("cat .stdin | opool run --stream \(options)")
      .stdin(lines.map { $0 + "\n" }.joined()).run()
  }

  private let end = "opool: the manifest is not read beyond this line; earlier ones are executed\n"

  @Test("the first operation executes while later lines are still to come")
  func start() throws {
    try Opool.shell(
      """
      mkfifo ran
      { echo '{"id":"a","shell":"echo 1; echo >ran"}'; read x <ran
        printf '%s' '{"shell":"echo 2","after":["a"]}'; } | opool run -q -k --stream -
      """
    ).run().expect("1\n2\n", stderr: "")
  }

  @Test("a file is read in the same way, and nothing at all is nothing to do")
  func file() throws {
    let opool = try Opool("run", "-q", "--stream", "m").file("m", "{\"run\":[\"echo\",\"1\"]}\n")
    try opool.run().expect("1\n", stderr: "")
    try Opool("run", "--stream").run().expect("", stderr: "opool: 0 succeeded in T\n")
    try Opool("run", "--stream", "nowhere").run()
      .expect("", exit: 3)
      .says("opool: the manifest 'nowhere' cannot be read: No such file or directory\n")
    try Opool("run", "--stream", ".tmp").run()
      .expect("", exit: 3).says("opool: the manifest '.tmp' cannot be read: Is a directory\n")
  }

  @Test("a wrong line is named; what came before it finishes, and nothing behind it begins")
  func wrongLine() throws {
    try run(
      "-q",
      #"{"id":"a","shell":"echo 1"}"#,
      #"{"shell":"echo 2","after":["a"]}"#,
      #"{"shell":"echo 3","after":["b"]}"#,
      #"{"id":"b","shell":"echo 4"}"#
    ).expect(
      "1\n2\n",
      stderr: "-:3: after: no earlier line has the id 'b'; "
        + "with --stream, a line waits for earlier ones only\n" + end,
      exit: 3
    )
  }

  @Test("a wrong line is told while earlier operations execute")
  func early() throws {
    try Opool.shell(
      """
      mkfifo told go; exec 3<>go
      { echo '{"shell":"read x <go; echo 1"}'; echo nonsense; } | opool run -q --stream 2>told & 
      read line <told; echo "$line"; echo >go; wait $!; echo $?
      """
    ).run().expect("-:2: column 1: expected an object\n1\n3\n")
  }

  @Test("what waits for an operation that has long ended gets its ending")
  func ended() throws {
    let run = try Opool.shell(
      """
      mkfifo ran
      { printf '%s\\n' '{"id":"bad","shell":"exit 3"}' '{"id":"good","shell":"echo >ran","after":[{"id":"bad","when":"failed"}]}'
        read x <ran
        printf '%s\\n' '{"id":"s","shell":"echo s","after":["bad"]}' '{"shell":"echo t","after":["s"]}' \\
          '{"shell":"echo f","after":[{"id":"bad","when":"finished"},"good"]}'
      } | opool run -q --stream --results results
      """
    ).run().expect("f\n", exit: 1)
    let records = try run.resultsByID()
    let endings = [
      "bad": "failed exit 3", "good": "succeeded", "s": "skipped dependency:bad",
      "4": "skipped dependency:bad", "5": "succeeded",
    ]
    #expect(records.mapValues(\.ending) == endings)
  }

  @Test("a barrier waits for all earlier lines, and later ones wait for it")
  func barrier() throws {
    let line = #"{"shell":"ls | grep -c done; touch $OPOOL_ID.done","#
    let run = try run(
      "-q -j4 -k",
      line + #""id":"a"}"#,
      line + #""id":"b"}"#,
      line + #""id":"c","barrier":true}"#,
      line + #""id":"d"}"#,
      line + #""id":"e"}"#,
      #"{"shell":"false","id":"f"}"#,
      line + #""id":"g","after":["f"],"barrier":true}"#,
      line + #""id":"h"}"#
    )
    let counts = run.stdout.split(separator: "\n").map(String.init)
    #expect(counts.count == 6)
    #expect(counts[2] == "2", "\(counts)")
    #expect(counts[3...4].allSatisfy { $0 >= "3" }, "\(counts)")
    #expect(counts[5] == "5", "\(counts)")
    #expect(run.status == .exited(1))
  }

  @Test("categories of exclusion, limits and slots hold")
  func resources() throws {
    let lines = (1...12).map { number in
      #"{"shell":"ls -R /etc >/dev/null","exclusive":"e","id":"x\#(number)"}"#
    }
    let opool = try Opool("run", "-q", "-j4", "--stream", "--results", "results")
      .stdin(lines.joined(separator: "\n"))
    let run = try opool.run()
    #expect(Executions(try run.results()).count == 12)
    #expect(Executions(try run.results()).width == 1)
  }

  @Test("a journal goes on in a streamed run, and in one that is not")
  func journal() throws {
    let manifest = """
      {"id":"a","shell":"echo a"}
      {"id":"b","shell":"echo b; test -e go","after":["a"]}
      {"id":"c","shell":"echo c","after":["b"]}

      """
    try Opool.shell(
      """
      opool run -q --stream --journal j m 2>/dev/null; echo $?
      touch go
      opool run -q --stream --journal j --resume-failed m; echo $?
      opool run -q --journal j --resume m; echo $?
      """
    ).file("m", manifest).run().expect("a\nb\n1\nb\nc\n0\n0\n", stderr: "")
  }

  @Test("--halt, -k and --shuf hold; the run ends though its input does not")
  func ends() throws {
    try Opool.shell(
      """
      mkfifo in; exec 3<>in
      printf '%s\\n' '{"shell":"echo 1"}' '{"shell":"exit 1"}' >&3
      opool run -q -k -j1 --stream --halt now,fail=1 in 2>/dev/null; echo $?
      """
    ).run().expect("1\n1\n")
    let lines = (1...30).map { #"{"shell":"echo \#($0)"}"# }.joined(separator: "\n")
    try Opool("run", "-q", "-k", "--shuf", "--stream").stdin(lines).run()
      .expect((1...30).map { "\($0)\n" }.joined(), stderr: "")
  }

  @Test("an interruption ends a run whose manifest goes on")
  func interruption() throws {
    try Opool.shell(
      """
      mkfifo in; exec 3<>in
      echo '{"shell":"until [ -s pid ]; do :; done; kill -INT $(cat pid)"}' >&3
      \(Opool.interruptible) opool run -q --stream in & echo $! >pid; wait $!; echo $?
      """
    ).run().expect("130\n")
  }

  @Test("--dry-run reads to the end, by the same rules, and executes nothing")
  func dryRun() throws {
    try run("-n", #"{"id":"a","run":["a"]}"#, #"{"run":["b"],"after":["a"]}"#)
      .expect(
        "1\ta\ta\n2\t2\tb\nopool: 2 operations, 1 dependency, 2 levels, widest 1\n",
        stderr: ""
      )
    try run("-n", #"{"run":["a"],"after":["b"]}"#, #"{"id":"b","run":["b"]}"#)
      .expect("", exit: 3).says("-:1: after: no earlier line has the id 'b'")
  }

  @Test("an order that needs the whole manifest is refused")
  func order() throws {
    try Opool("run", "--stream", "--order", "critical-path").run().expect("", exit: 2)
      .says("opool: --stream and --order critical-path: the order needs the whole manifest\n")
  }

  @Test("kinds of the user's own workers", .needsPython)
  func kinds() throws {
    try Opool.shell(
      """
      printf '%s\\n' '{"kind":"sum","payload":[2],"id":"a"}' '{"shell":"echo 1","after":["a"]}' |
        opool run -q --stream --worker '1:python3 "$PYTHON_WORKER"'
      """
    ).run().expect("1\n", stderr: "")
  }
}

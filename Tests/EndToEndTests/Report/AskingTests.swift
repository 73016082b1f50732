import Foundation
import PoolTestSupport
import Testing

/// Contract: another process can ask a run how far it is, and what an operation waits for.
@Suite("Asking a run", .timeLimit(.minutes(5)))
struct AskingTests {
  private static let manifest = """
    {"id":"a","shell":"while [ ! -e go ]; do sleep 0.05; done"}
    {"id":"net1","shell":"while [ ! -e go ]; do sleep 0.05; done","limit":{"net":1}}
    {"id":"net2","shell":"true","limit":{"net":1}}
    {"id":"b","shell":"true","after":["a"]}
    {"id":"c","shell":"true"}

    """

  /// A script that begins a run, waits until it can be asked, asks it, and lets it end.
  private func ask(_ questions: String, folder: String = "$PWD/r") throws -> OpoolRun {
    let script = """
      export XDG_RUNTIME_DIR="\(folder)"
      opool run -q -j2 m & run=$!
      until opool status >/dev/null 2>&1; do sleep 0.05; done
      \(questions)
      touch go
      wait $run
      """
    let opool = try Opool.shell(script).file("m", Self.manifest)
    try FileManager.default.createDirectory(
      atPath: opool.folder.path(of: "r"),
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    return try opool.run()
  }

  /// The user that a namespace shows for those that it does not know is answered by no run.
  private static let isKnown = geteuid() != 65_534

  @Test("it says what executes, and what each operation waits for", .enabled(if: Self.isKnown))
  func standings() throws {
    let questions = """
      opool status | sed "s/ (pid [0-9]*)//;s/$run/PID/;s/[0-9]:[0-9][0-9]/T/g;s/worker [12]/worker W/" | sort
      for id in a net2 b c; do opool explain $id | sed "s/[0-9]:[0-9][0-9]/T/;s/worker [12]/worker W/"; done
      opool explain z; echo $?
      opool explain --run $run --json b | sed 's/[0-9]*\\.[0-9]*/T/'
      """
    let run = try ask(questions).expect(
      """
        executing on worker W for T: a
        executing on worker W for T: net1
      PID: 0/5, 2 executing, T: opool run -q -j2 m
      a: executes on worker W for T
      net2: is ready, and waits for limit 'net' (1 unit), which these hold:
        net1, executing for T
      b: waits for a dependency:
        a, executing for T
      c: is ready, and waits for a slot; 2 executing, first in the queue
      2
      {"type":"explanation","id":"b","state":"waiting","for":"dependencies","count":1,\
      "operations":[{"id":"a","elapsed":T}]}

      """,
      stderr: "opool: no operation is called 'z'\n"
    )
    // The socket is gone with the run.
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: run.folder.path(of: "r/opool")) == []
    )
  }

  @Test(
    "of several runs one must be named; a dead one is removed, and a stopped one is said to be",
    .enabled(if: Self.isKnown)
  )
  func several() throws {
    let questions = """
      opool run -q -j2 m & other=$!
      until [ $(opool status | wc -l) = 2 ]; do sleep 0.05; done
      opool status | sed 's/[0-9][0-9]*:/P:/;s/[0-9]:[0-9][0-9]/T/g'
      fields() { sed 's/:[^,]*//g' | grep -o '"[a-zA-Z]*"' | sort | uniq | tr '\\n' ' '; }
      opool status --json > all; opool status --run $run --json > one
      test "$(wc -l < all)" = 2 && test "$(head -1 all | fields)" = "$(fields < one)" && echo alike
      grep -c '"pid":'$run',"command":"opool run -q -j2 m"' all one
      opool explain a 2>&1 | sed "s/$run/A/;s/$other/B/"
      opool explain --run $other a | sed 's/worker .*/worker W/'
      opool explain --run 1 a 2>/dev/null; echo $?
      kill -STOP $other
      until grep -q 'State:.T' /proc/$other/status; do sleep 0.05; done
      opool status --run $other 2>&1 | sed "s/$other/B/"
      kill -CONT $other
      kill -KILL $other
      until [ $(opool status | grep -c j2) = 1 ]; do sleep 0.05; done
      ls r/opool | wc -l
      """
    try ask(questions).expect(
      """
      P: 0/5, 2 executing, T: opool run -q -j2 m
      P: 0/5, 2 executing, T: opool run -q -j2 m
      alike
      all:1
      one:1
      opool: there are several runs; choose one:
        --run A
        --run B
      a: executes on worker W
      2
      opool: the run of process B does not answer; it may be stopped
      1

      """
    )
  }

  @Test("where there is no safe folder, the run goes on, and is not asked")
  func unsafe() throws {
    let script = """
      mkdir -m 777 r/opool; export XDG_RUNTIME_DIR=$PWD/r
      opool map -v sleep ::: 1.2 2>&1 | grep 'no process can ask'
      ls r/opool | wc -l; opool status; echo $?
      """
    let opool = try Opool.shell(script)
    try FileManager.default.createDirectory(
      atPath: opool.folder.path(of: "r"),
      withIntermediateDirectories: true
    )
    try opool.run().expect(
      """
      opool: no process can ask this run anything: it is not a folder that only this user may enter
      0
      2

      """,
      stderr: "opool: there is no run that could be asked\n"
    )
  }

  @Test("what a recorded operation waited for is told from its records")
  func recorded() throws {
    let script = """
      cat > n <<'END'
      {"id":"a","shell":"true","group":"g"}
      {"id":"b","shell":"exit 3","after":["a"]}
      {"id":"c","shell":"true","after":["b"]}
      END
      opool run -q --events e n 2> /dev/null
      opool explain --from e b | sed 's/[0-9.]* m*s/T/g;s/worker [0-9]*/worker W/'
      opool explain --from e c | head -2
      opool explain --from e g
      opool explain --from e z; echo $?
      opool explain --from n b 2>/dev/null; echo $?
      """
    try Opool.shell(script).run().expect(
      """
      b: failed: exit code 3
        ready at T
        executed from T to T on worker W, after the end of a dependency (a)
      c: skipped: a dependency did not end as it required
        because of b, which failed
      g: a group: succeeded
      2
      2

      """,
      stderr: "opool: e: no operation is called 'z'\n"
    )
  }
}

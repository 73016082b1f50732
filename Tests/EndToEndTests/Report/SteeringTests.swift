import Foundation
import PoolTestSupport
import Testing

/// Contract: another process can cancel operations of a run, scale, pause and continue it; each
/// command returns when that has happened, says what follows, and is a record.
@Suite(
  "Steering a run",
  .enabled(
    if: geteuid() != 65_534,
    "the user that a namespace shows for strangers is not answered"
  ),
  .timeLimit(.minutes(5))
)
struct SteeringTests {
  /// A script that begins a run, waits until it can be asked, steers it, and waits for its end.
  ///
  /// Commands of the manifest wait for files: `W x` for x.
  private func steer(
    _ manifest: String,
    _ commands: String,
    arguments: String = "-j2",
    prepare: String = ""
  ) throws -> OpoolRun {
    let script = """
      export XDG_RUNTIME_DIR=$PWD/r
      \(prepare)
      opool run -q --events e --journal j \(arguments) m 2> errors & run=$!
      until opool status > /dev/null 2>&1; do sleep 0.02; done
      until_there() { until opool explain "$1" | grep -q "$2"; do sleep 0.02; done; }
      \(commands)
      wait $run; echo "exit $?"
      """
    let lines = manifest.replacing(
      /"W (\w+)"/,
      with: { "\"while [ ! -e \($0.output.1) ]; do sleep 0.02; done\"" }
    )
    let opool = try Opool.shell(script).file("m", lines + "\n")
    try FileManager.default.createDirectory(
      atPath: opool.folder.path(of: "r"),
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    return try opool.run()
  }

  /// A record of steering.
  private struct Steered: Decodable {
    var action: String
    var user: UInt32?
    var pid: Int32?
    var command: String?
    var operations: [Int]?
    var cancelled: Int?
    var skipped: Int?
    var width: Int?
    var before: Int?
  }

  private static func steered(in run: OpoolRun) throws -> [Steered] {
    let start = Array(#"{"type":"steered""#.utf8)
    return try run.folder.bytes(of: "e").split(separator: UInt8(ascii: "\n"))
      .filter { $0.starts(with: start) }
      .map { try JSONDecoder().decode(Steered.self, from: Data($0)) }
  }

  private static let graph = """
    {"id":"a","shell":"W never"}
    {"id":"b","shell":"W go"}
    {"id":"c","shell":"true","after":["a"]}
    {"id":"d","shell":"true","after":["c"]}
    {"id":"e","shell":"true","after":[{"id":"a","when":"cancelled"}]}
    {"id":"f","shell":"true"}
    {"id":"g1","shell":"W never","group":"g"}
    {"id":"g2","shell":"W never","group":"g"}
    {"id":"h","shell":"true","after":["g"]}
    """

  @Test("what executes is torn down, what waits is cancelled, and dependents are skipped")
  func cancel() throws {
    let commands = """
      until_there a 'executes'; until_there b 'executes'
      opool cancel a f
      until_there g1 'executes'
      opool cancel --json g
      touch go
      """
    let run = try steer(Self.graph, commands).expect(
      """
      a: cancelled
      f: cancelled
      2 that depend on that are skipped
      {"type":"steering","action":"cancel","complete":true,"targets":[{"id":"g","cancelled":2,\
      "open":0}],"skipped":1,"notes":[]}
      exit 1

      """
    )
    let events = try EventLog(run.folder.bytes(of: "e"))
    events.expectConsistent()
    let steered = try Self.steered(in: run)
    #expect(steered.map(\.action) == ["cancel", "cancel"])
    #expect(steered.map(\.user) == [geteuid(), geteuid()])
    #expect(steered.map(\.command) == ["opool", "opool"])
    #expect(steered.allSatisfy { ($0.pid ?? 0) > 1 })
    #expect(steered.map(\.operations) == [[1, 6], [10]])
    #expect(steered.map(\.cancelled) == [2, 2])
    #expect(steered.map(\.skipped) == [2, 1])
    let outcomes = events.all("settled").filter { ($0.operation ?? 0) <= 9 }
      .sorted { $0.operation ?? 0 < $1.operation ?? 0 }.map { $0.outcome ?? "" }
    #expect(
      outcomes == [
        "cancelled", "succeeded", "skipped", "skipped", "succeeded", "cancelled", "cancelled",
        "cancelled", "skipped",
      ]
    )
    #expect(!run.folder.text(of: "errors").contains("cancelled by"), "a quiet run says less")
  }

  @Test("what a free slot does not begin says why: the time between starts, or a category")
  func held() throws {
    let manifest = """
      {"id":"a","shell":"W go","exclusive":"disk"}
      {"id":"b","shell":"true","exclusive":"disk"}
      {"id":"c","shell":"true"}
      """
    let commands = """
      until_there a 'executes'
      for id in b c; do opool explain $id | sed 's/[0-9]:[0-9][0-9]/T/'; done
      opool cancel b c
      touch go; wait $run
      grep -o '"delay":[0-9.]*' e; grep -c '"name":"disk","units":1,"exclusive":true' e
      """
    try steer(manifest, commands, arguments: "-j3 --delay 1000").expect(
      """
      b: is ready, and waits for exclusive 'disk', which this holds:
        a, executing for T
      c: is ready, and is not started: --delay holds back the next operation
      b: cancelled
      c: cancelled
      "delay":1000.000000
      2
      exit 127

      """
    )
  }

  @Test("one wrong id, and nothing is done; all wrong ones are named, with what could be meant")
  func refusals() throws {
    let commands = """
      until_there f succeeded
      opool cancel b f bb nothing; echo $?
      opool cancel f; echo $?
      opool explain b | sed 's/worker.*//'
      touch go
      """
    try steer(
      """
      {"id":"b","shell":"W go"}
      {"id":"f","shell":"true"}
      """,
      commands
    ).expect(
      "2\n2\nb: executes on \nexit 0\n",
      stderr: """
        opool: nothing was cancelled:
          f has ended: succeeded
          no operation is called 'bb'; did you mean 'b'?
          no operation is called 'nothing'
          these execute: b
        opool: nothing was cancelled:
          f has ended: succeeded
          these execute: b

        """
    )
  }

  @Test("without a run, or with several, it is said")
  func noRun() throws {
    let script = """
      export XDG_RUNTIME_DIR=$PWD/none
      for line in 'cancel a' 'scale 2' pause unpause 'pause --run 1'; do opool $line; echo $?; done
      """
    try Opool.shell(script).run().expect(
      "2\n2\n2\n2\n2\n",
      stderr: String(repeating: "opool: there is no run that could be asked\n", count: 4)
        + "opool: there is no run of process 1 that could be asked\n"
    )
  }

  @Test("an operation that resists is said to be still ending, and then how it ended")
  func resisting() throws {
    let commands = """
      until_there a executes; until [ -e trap ]; do sleep 0.02; done
      opool cancel a
      """
    try steer(
      #"{"id":"a","shell":"trap '' TERM; touch trap; while :; do sleep 0.05; done"}"#,
      commands,
      arguments: "-j2 --term-seq TERM,200,KILL"
    ).expect("a: cancelled\nexit 1\n")
  }

  @Test("what is cancelled again while it is being ended is one record, and is shown as such")
  func twice() throws {
    let commands = """
      until_there a executes; until [ -e trap ]; do sleep 0.02; done
      opool cancel a > first & first=$!
      until_there a 'being ended'
      opool explain a | sed 's/[0-9]:[0-9][0-9]/T/g;s/worker [0-9]*/worker W/'
      opool status | grep being | sed 's/[0-9]:[0-9][0-9]/T/g;s/worker [0-9]* (pid [0-9]*)/worker W/'
      opool cancel a > again & again=$!
      opool cancel a z | sed 's/[0-9]:[0-9][0-9]/T/'
      wait $first; cat first; wait $again; sed 's/[0-9]:[0-9][0-9]/T/' again
      """
    let run = try steer(
      #"{"id":"a","shell":"trap '' TERM; touch trap; while :; do sleep 0.05; done"}"# + "\n"
        + #"{"id":"b","shell":"true","after":["a"]}"# + "\n" + #"{"id":"z","shell":"W never"}"#
        + "\n"
        + #"{"id":"y","shell":"true","after":["z"]}"#,
      commands,
      arguments: "-j2 --term-seq TERM,5000,KILL"
    ).expect(
      """
      a: is cancelled, and is being ended for T by SIGTERM; worker W has executed it for T
        being ended for T by SIGTERM, executing on worker W for T: a
      a: cancelled
      z: cancelled
      2 that depend on that are skipped
      a was cancelled before, and has been ending for T
      a: cancelled
      1 that depends on that is skipped
      a: cancelled
      1 that depends on that is skipped
      a was cancelled before, and has been ending for T
      exit 1

      """
    )
    let steered = try Self.steered(in: run)
    #expect(steered.map(\.cancelled) == [1, 1] && steered.map(\.skipped) == [1, 1])
  }

  @Test("a ready operation says its place in the queue, and when it is expected to start")
  func place() throws {
    let manifest = """
      {"id":"a","shell":"W go","expected":3000,"priority":"veryHigh"}
      {"id":"b","shell":"true","expected":600}
      {"id":"c","shell":"true"}
      {"id":"d","shell":"true","priority":"high"}
      """
    let commands = """
      until_there a executes
      for id in d b c; do opool explain $id | sed 's/[0-9:]*:[0-9][0-9]:[0-9][0-9]/T/;s/[0-9][0-9]:[0-9][0-9]/T/'; done
      opool explain --json c | grep -o '"ahead".*'
      opool cancel b c d > /dev/null; touch go
      """
    // No slot is free: the time between starts holds nothing back.
    try steer(manifest, commands, arguments: "-j1 --delay 1000").expect(
      """
      d: is ready, and waits for a slot; 1 executing, first in the queue, expected to start in T
      b: is ready, and waits for a slot; 1 executing, 1 before it in the queue
      c: is ready, and waits for a slot; 1 executing, 2 before it in the queue
      "ahead":2,"start":null}
      exit 1

      """
    )
  }

  @Test("more execute from then on, or fewer, and what executes goes on")
  func scale() throws {
    let manifest = (1...8).map { #"{"id":"o\#($0)","shell":"W go\#($0)"}"# }.joined(separator: "\n")
    let commands = """
      until_there o2 executes
      opool scale 4
      until_there o3 executes; until_there o4 executes; opool explain o5 | sed 's/o5: //'
      opool scale 1; opool scale 1
      touch go1 go2 go3; until_there o3 succeeded
      opool explain o5 | sed 's/o5: //'
      opool scale 0; opool scale 20000
      opool scale 3 --json
      touch go4 go5 go6 go7 go8
      """
    let run = try steer(manifest, commands).expect(
      """
      4 at once, 2 before
      is ready, and waits for a slot; 4 executing, first in the queue
      1 at once, 4 before
      4 execute: 3 more than that, which go on to their end
      1 at once, as before
      4 execute: 3 more than that, which go on to their end
      is ready, and waits for a slot; 1 executing, first in the queue
      {"type":"steering","action":"scale","complete":true,"width":3,"before":1,"executing":1,\
      "notes":[]}
      exit 0

      """,
      stderr: nil
    )
    let events = try EventLog(run.folder.bytes(of: "e"))
    events.expectConsistent()
    #expect(try Self.steered(in: run).map(\.width) == [4, 1, 3])
    #expect(try Self.steered(in: run).map(\.before) == [2, 4, 1])
  }

  @Test("a width is refused where it cannot hold, and what else holds is said")
  func scaleLimits() throws {
    let manifest = #"{"id":"a","shell":"W go"}"#
    let refused = "opool scale 3; echo $?; touch go"
    try steer(manifest, refused, arguments: "-j width", prepare: "echo 2 > width")
      .expect("2\nexit 0\n")
      .says("opool: -j width says how many execute at once; write the number there\n")
    try steer(manifest, "opool scale 3; touch go", arguments: "-j2 --load 1000 --delay 0.001")
      .expect(
        """
        3 at once, 2 before
        --load and --delay still hold back what begins
        exit 0

        """
      )
  }

  @Test("nothing begins while it is paused, and a pause ends only by what it began with")
  func pause() throws {
    let manifest = """
      {"id":"a","shell":"W go"}
      {"id":"b","shell":"true","after":["a"]}
      """
    let commands = """
      until_there a executes
      opool unpause
      opool pause; opool pause | sed 's/for [0-9:]* by.*/by W/'
      touch go; until_there a succeeded
      opool explain b
      opool report e | grep paused | sed 's/for .* by.*/for T/'
      opool unpause | sed 's/after .*/after T/'
      """
    let run = try steer(manifest, commands).expect(
      """
      it was not paused by 'opool pause'
      paused: nothing begins until 'opool unpause'
      1 execute, and go on to their end
      paused: nothing begins until 'opool unpause'
      1 execute, and go on to their end
      it was paused before, by W
      b: is ready, and the run starts nothing: it was paused by 'opool pause'
      It was paused for T
      unpaused, after T
      exit 0

      """
    )
    let events = try EventLog(run.folder.bytes(of: "e"))
    #expect(try Self.steered(in: run).map(\.action) == ["pause", "unpause"])
    let order = events.lines.filter { ["steered", "started", "settled"].contains($0.type) }
    #expect(
      order.map(\.word) == [
        "started 1", "steered", "settled 1", "steered", "started 2", "settled 2",
      ]
    )
  }

  @Test("a paused run that is interrupted ends, and is resumed")
  func interrupted() throws {
    let manifest = """
      {"id":"a","shell":"W go"}
      {"id":"b","shell":"true"}
      {"id":"c","shell":"true","after":["b"]}
      """
    let commands = """
      until_there a executes; opool pause > /dev/null; kill -TERM $run; wait $run; echo $?
      touch go; opool run -q --journal j --resume --results r.jsonl m; echo $?; wc -l < r.jsonl
      """
    try steer(manifest, commands, arguments: "-j1").expect("143\n0\n3\nexit 127\n", stderr: nil)
  }

  @Test("a journal keeps what was cancelled: --resume leaves it, --resume-failed executes it again")
  func resume() throws {
    let manifest = """
      {"id":"a","shell":"W go"}
      {"id":"b","shell":"true","after":["a"]}
      {"id":"c","shell":"W go","after":[]}
      """
    let commands = """
      until_there a executes; opool cancel a > /dev/null; touch go; wait $run
      outcomes() { sed 's/.*"id":"\\([a-z]*\\)".*"outcome":"\\([a-z]*\\)".*/\\1 \\2/' "$1" | sort; }
      opool run -q --journal j --resume --results r1 m; echo $?; outcomes r1
      opool run -q --journal j --resume-failed --results r2 m; echo $?; outcomes r2
      opool journal export --events j | grep -c '"type":"steered","at":[0-9.]*,"action":"cancel"'
      opool journal verify j > /dev/null; echo $?
      """
    try steer(manifest, commands, arguments: "-j2").expect(
      """
      1
      a cancelled
      b skipped
      c succeeded
      0
      a succeeded
      b succeeded
      c succeeded
      1
      0
      exit 127

      """,
      stderr: nil
    )
  }
}

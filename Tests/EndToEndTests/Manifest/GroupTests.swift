import PoolSystem
import PoolTestSupport
import Testing

/// Groups of operations, as one that others wait for.
@Suite("Groups of a manifest")
struct GroupTests {
  private func run(_ manifest: String, _ options: String...) throws -> OpoolRun {
    try Opool(["run", "--results", "results"] + options).stdin(manifest).run()
  }

  /// Dependents of a group that failed name the operation that began it.
  @Test("A group succeeds if all its members do, and fails if one of them does")
  func endings() throws {
    let manifest = """
      {"id": "a", "run": ["true"], "group": "good"}
      {"id": "b", "run": ["true"], "group": "good"}
      {"id": "c", "run": ["false"], "group": "bad"}
      {"id": "d", "run": ["true"], "group": "bad"}
      {"id": "good-yes", "run": ["true"], "after": ["good"]}
      {"id": "good-no", "run": ["true"], "after": [{"id": "good", "when": "failed"}]}
      {"id": "bad-yes", "run": ["true"], "after": ["bad"]}
      {"id": "bad-no", "run": ["true"], "after": [{"id": "bad", "when": "failed"}]}
      {"id": "bad-any", "run": ["true"], "after": [{"id": "bad", "when": "finished"}]}
      {"id": "next", "run": ["true"], "after": ["bad-yes"], "group": "far"}
      {"id": "mend", "run": ["true"], "after": [{"id": "far", "when": "cancelled"}]}
      """
    let run = try run(manifest, "-j4", "-v").expect("", exit: 1)
      .says("opool: 6 succeeded, 1 failed, 4 skipped in T\n")
      .says("opool: group good: succeeded\n").says("opool: group bad: failed because of c\n")
    let results = try run.resultsByID()
    #expect(
      results.mapValues(\.ending) == [
        "a": "succeeded", "b": "succeeded", "c": "failed exit 1", "d": "succeeded",
        "good": "succeeded", "bad": "failed dependency:c", "far": "skipped dependency:c",
        "good-yes": "succeeded", "good-no": "skipped dependency:good",
        "bad-yes": "skipped dependency:c", "bad-no": "succeeded", "bad-any": "succeeded",
        "next": "skipped dependency:c", "mend": "skipped dependency:c",
      ]
    )
    let members = Executions(["c", "d"].compactMap { results[$0] })
    #expect(members.precede(Executions(["bad-no"].compactMap { results[$0] })))
  }

  /// So that readers of results can distinguish them from operations.
  @Test("A group has a line in the results, after its members'")
  func lines() throws {
    let manifest = """
      {"id": "a", "run": ["true"], "group": "g"}
      {"id": "b", "run": ["true"], "after": ["g"]}
      {"id": "c", "run": ["true"], "group": "g", "after": ["a"]}
      """
    let results = try run(manifest).expect("", stderr: "opool: 3 succeeded in T\n").results()
    #expect(results.map(\.id) == ["a", "c", "g", "b"])
    #expect(results.map(\.group) == ["g", "g", nil, nil])
    #expect(results.map(\.members) == [nil, nil, 2, nil])
    let group = results[2]
    #expect(group.name == "g" && group.attempt == 0 && group.worker == nil)
    #expect(group.queued == nil && group.started == nil && group.finished != nil)
  }

  /// A handler in a group that was not needed: neither it nor its group is a failure.
  @Test("A group that is skipped because all went well does not count against the run")
  func unneeded() throws {
    let manifest = """
      {"id": "work", "run": ["true"], "group": "works"}
      {"id": "mend", "run": ["touch", "ran"], "after": [{"id": "works", "when": "failed"}], "group": "mends"}
      {"id": "tell", "run": ["touch", "ran"], "after": ["mends"]}
      """
    let run = try run(manifest).expect("", stderr: "opool: 1 succeeded, 2 skipped in T\n")
    #expect(try run.resultsByID()["mends"]?.ending == "skipped dependency:works")
    #expect(try run.folder.names().contains("ran") == false)
  }

  /// The barrier is no member's affair: those before it and those behind it make one group.
  @Test("A group may have members on both sides of a barrier")
  func barrier() throws {
    let manifest = """
      {"id": "a", "run": ["echo", "a"], "group": "g"}
      {"id": "b", "run": ["echo", "b"], "group": "h"}
      {"id": "c", "run": ["echo", "c"], "after": ["h"]}
      {"id": "wall", "run": ["echo", "wall"], "barrier": true}
      {"id": "last", "run": ["echo", "last"], "after": ["g"]}
      {"id": "d", "run": ["echo", "d"], "group": "g"}
      """
    let results = try run(manifest, "-j1", "-q").expect("a\nb\nc\nwall\nd\nlast\n").results()
    #expect(results.map(\.id) == ["a", "b", "h", "c", "wall", "d", "g", "last"])
  }

  /// A group prints nothing, so nothing waits for its turn.
  @Test("Outputs keep the order of the lines beside groups")
  func order() throws {
    let lines = (1...60).map { number in
      #"{"shell": "head -c \#(number * 1_000) /dev/zero | tr '\\\\0' x >&2; echo \#(number)", "#
        + #""group": "g\#(number % 7)"}"#
    }
    let last = #"{"run": ["echo", "end"], "after": ["g0", "g1", "g2", "g3", "g4", "g5", "g6"]}"#
    let numbers = (1...60).map { "\($0)\n" }.joined()
    let run = try run((lines + [last]).joined(separator: "\n"), "-k", "-j4")
    run.expect(numbers + "end\n").says("opool: 61 succeeded in T\n")
    #expect(try run.results().count { $0.members != nil } == 7)
  }

  /// A group ends when its members have, and not before.
  @Test("When a run is interrupted, groups are cancelled with their members")
  func interruption() throws {
    let manifest = """
      {"id": "a", "shell": "trap 'echo tidy; exit 0' TERM; echo up > up; sleep 1000 & wait", "group": "g"}
      {"id": "b", "run": ["touch", "ran"], "after": ["g"]}
      {"id": "c", "run": ["touch", "ran"], "barrier": true, "group": "h"}
      """
    let command = try Opool("run", "--results", "results").stdin(manifest)
    try RunningOpool.makePipe(command.folder.path(of: "up"))
    let running = try command.start()
    #expect(try running.read(pipe: "up") == "up\n")
    ProcessSignal.interrupt.send(toProcess: running.pid)
    let run = try running.wait()
    run.expect("tidy\n", stderr: "opool: 0 succeeded, 3 cancelled in T\n", exit: 130)
    let results = try run.results()
    #expect(
      Dictionary(uniqueKeysWithValues: results.map { ($0.id, $0.ending) }) == [
        "a": "cancelled cancelled 0", "b": "cancelled cancelled", "c": "cancelled cancelled",
        "g": "cancelled dependency:a", "h": "cancelled dependency:c",
      ]
    )
    #expect(results.map(\.id).suffix(2) == ["a", "g"])
    #expect(try run.folder.names().contains("ran") == false)
  }

  /// Ten thousand members, and a thousand groups of one.
  @Test("Large groups and many groups run")
  func large() throws {
    let members = (0..<10_000).map { _ in #"{"kind": "noop", "group": "all"}"# }
    let single = (0..<1_000).map { #"{"kind": "noop", "group": "g\#($0)", "after": ["all"]}"# }
    let names = (0..<1_000).map { "\"g\($0)\"" }.joined(separator: ",")
    let last = #"{"kind": "noop", "after": [\#(names)]}"#
    let lines = members + single + [last]
    try run(lines.joined(separator: "\n"), "--worker", "2:env OPOOL_WORKER=1 test-worker")
      .expect("", stderr: "opool: 11001 succeeded in T\n")
  }
}

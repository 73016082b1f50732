import Foundation
import PoolTestSupport
import Testing

/// A manifest, executed by the real programs.
@Suite("opool run")
struct RunTests {
  /// Each level reads what the one before it wrote.
  @Test("A graph is executed in the order of its dependencies")
  func graph() throws {
    let manifest = """
      # a comment, and an empty line

      {"id": "sum", "shell": "cat a b > sum", "after": ["a", "b"]}
      {"id": "a", "shell": "echo 1 > a"}
      {"id": "b", "run": ["cp", "c", "b"], "after": ["c"]}
      {"id": "c", "shell": "echo 2 > c"}
      {"id": "show", "run": ["cat", "sum"], "after": ["sum"]}

      """
    try Opool("run", "manifest").file("manifest", manifest).run()
      .expect("1\n2\n", stderr: "opool: 5 succeeded in T\n")
    try Opool("run").stdin(manifest).run().expect("1\n2\n")
    try Opool("run", "-").stdin(manifest.replacing("\n", with: "\r\n")).run().expect("1\n2\n")
  }

  /// Of each kind of condition one that holds and one that does not.
  @Test("A dependent is executed only where its dependency ended as it asks")
  func conditions() throws {
    var lines = [#"{"id": "good", "run": ["true"]}"#, #"{"id": "bad", "run": ["false"]}"#]
    for when in ["succeeded", "finished", "failed", "cancelled"] {
      for other in ["good", "bad"] {
        lines.append(
          #"{"id": "\#(when)-\#(other)", "run": ["true"], "after": [{"id": "\#(other)", "when": "\#(when)"}]}"#
        )
      }
    }
    lines.append(#"{"id": "far", "run": ["true"], "after": ["succeeded-bad"]}"#)
    lines.append(#"{"id": "told", "run": ["true"], "after": [{"id": "far", "when": "finished"}]}"#)
    let run = try Opool("run", "-q", "--results", "results").stdin(lines.joined(separator: "\n"))
      .run().expect(
        "",
        stderr: "-:2: bad: failed: exit code 1: false; 3 skipped because of it\n",
        exit: 1
      )
    let endings = try run.resultsByID().mapValues(\.ending)
    #expect(
      endings == [
        "good": "succeeded", "bad": "failed exit 1",
        "succeeded-good": "succeeded", "succeeded-bad": "skipped dependency:bad",
        "finished-good": "succeeded", "finished-bad": "succeeded",
        "failed-good": "skipped dependency:good", "failed-bad": "succeeded",
        "cancelled-good": "skipped dependency:good", "cancelled-bad": "skipped dependency:bad",
        "far": "skipped dependency:bad", "told": "succeeded",
      ]
    )
  }

  /// It was there in case of a failure, and there was none.
  @Test("A handler that was not needed is no failure")
  func handler() throws {
    let manifest = """
      {"id": "work", "run": ["true"]}
      {"id": "mend", "run": ["touch", "mended"], "after": [{"id": "work", "when": "failed"}]}
      """
    let run = try Opool("run").stdin(manifest).run()
      .expect("", stderr: "opool: 1 succeeded, 1 skipped in T\n")
    #expect(try run.folder.names().contains("mended") == false)
  }

  /// One worker, and an operation that holds it until all the others are ready.
  @Test("Ready operations go by priority, then as they were submitted")
  func priorities() throws {
    let levels = ["low", "normal", "-4", "high", "veryLow", "veryHigh", "high", "1000", "3"]
    let lines = levels.enumerated().map { number, level in
      let value = Int(level) == nil ? "\"\(level)\"" : level
      return #"{"shell": "echo \#(number) \#(level)", "priority": \#(value)}"#
    }
    let run = try Opool("run", "-j1").stdin(lines.joined(separator: "\n")).run()
    run.expect(
      "5 veryHigh\n7 1000\n3 high\n6 high\n1 normal\n8 3\n0 low\n2 -4\n4 veryLow\n"
    )
  }

  /// Each field reaches the command.
  @Test("A command has its folder, environment, input and niceness")
  func fields() throws {
    let manifest = #"""
      {"shell": "pwd | sed 's|.*/||'; echo $A-$B", "cwd": "inner", "env": {"A": "1", "B": "ü x"}}
      {"run": ["cat"], "stdin": "given\nü", "after": ["1"]}
      {"run": ["wc", "-c"], "after": ["2"]}
      {"run": ["od", "-An", "-tx1"], "stdin": {"base64": "/wD+"}, "after": ["3"]}
      """#
    let command = try Opool("run", "-k").stdin(manifest)
    try FileManager.default.createDirectory(
      atPath: command.folder.path(of: "inner"),
      withIntermediateDirectories: false
    )
    try command.run().expect("inner\n1-ü x\ngiven\nü0\n ff 00 fe\n")
    let nice = try Opool("run", "-k", "-j1").stdin(
      #"""
      {"run": ["nice"]}
      {"run": ["nice"], "qos": "background"}
      {"run": ["nice"], "qos": "utility"}
      {"run": ["nice"]}
      {"run": ["nice"], "nice": 3}
      {"run": ["nice"], "nice": 2, "qos": "utility"}
      {"run": ["nice"], "nice": 19, "qos": "background"}
      """#
    )
    let values = try nice.run().expect().stdout.split(separator: "\n").compactMap { Int($0) }
    #expect(values.count == 7 && values[0] == values[3])
    #expect(values[4] == values[0] + 3 && values[5] == values[2] + 2)
    #expect(values[6] == min(values[0] + 19, 19))
    #expect(values[1] > values[2] && values[2] > values[0])
  }

  /// The manifest's own word counts for more than the option's.
  @Test("Options are defaults for operations that do not say")
  func defaults() throws {
    let manifest = """
      {"id": "one", "run": ["false"]}
      {"id": "none", "run": ["false"], "retries": 0}
      {"id": "long", "run": ["true"], "timeout": 100}
      """
    let run = try Opool("run", "--retries", "1", "--results", "results").stdin(manifest).run()
    run.expect("", exit: 1)
    #expect(
      try run.resultsByID().mapValues(\.attempt) == ["one": 2, "none": 1, "long": 1]
    )
  }

  /// Names are for people, ids for results.
  @Test("A failure is told by its line, and by its name")
  func names() throws {
    let manifest = """

      {"id": "x", "name": "the build", "run": ["sh", "-c", "exit 7"]}
      """
    try Opool("run", "a manifest").file("a manifest", manifest).run()
      .expect("", exit: 1)
      .says("a manifest:2: x: failed: exit code 7: sh -c 'exit 7'\n")
  }

  /// Twenty thousand, each after up to three earlier ones.
  @Test("A manifest of 20,000 operations runs")
  func large() throws {
    let lines = (1...20_000).map { number in
      let earlier = [number / 2, number / 3, number - 1].filter { $0 > 0 && number % 7 != 0 }
      let after = Set(earlier).sorted().map { "\"\($0)\"" }.joined(separator: ",")
      return #"{"kind": "noop", "after": [\#(after)]}"#
    }
    let worker = "2:env OPOOL_WORKER=1 test-worker"
    try Opool("run", "--worker", worker).stdin(lines.joined(separator: "\n")).run()
      .expect("", stderr: "opool: 20000 succeeded in T\n")
  }
}

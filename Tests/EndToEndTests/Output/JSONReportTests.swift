import Foundation
import PoolTestSupport
import Testing

/// Contract: with `--json` a run reports lines of JSON where it reports to people otherwise.
@Suite("A run's reports as JSON")
struct JSONReportTests {
  private func reports(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  @Test("a failure and the end of a run are a line each; with -q, only the end is")
  func summary() throws {
    for quiet in [[], ["-q"]] {
      let options = ["run", "--json"] + quiet + ["--retries", "1", "m"]
      let run = try Opool(options).file(
        "m",
        """
        {"id": "a", "shell": "exit 3"}
        {"id": "b", "run": ["true"], "after": ["a"]}
        {"id": "c", "run": ["true"]}

        """
      ).run().expect("", exit: 1)
      let lines = try reports(
        run.folder.text(of: ".stderr").split(separator: "\n").filter { $0.hasPrefix("{") }
          .joined(separator: "\n")
      )
      // A quiet run tells of failures at its end only.
      let types = quiet.isEmpty ? ["failure", "summary"] : ["summary"]
      #expect(lines.map { $0["type"] as? String } == types)
      if quiet.isEmpty { #expect(lines.first?["id"] as? String == "a") }
      let summary = try #require(lines.last)
      #expect(summary["succeeded"] as? Int == 1 && summary["failed"] as? Int == 1)
      #expect(summary["skipped"] as? Int == 1 && summary["retried"] as? Int == 1)
      let failure = try #require((summary["failures"] as? [[String: Any]])?.first)
      #expect(failure["id"] as? String == "a" && failure["line"] as? Int == 1)
      #expect(failure["skipped"] as? Int == 1)
    }
  }

  @Test("the progress, and the status after USR1, are lines of it")
  func progress() throws {
    let wait = "until grep -q '\"progress\"' .stderr; do sleep 0.01; done"
    let ask = "\(Opool.findCoordinator); kill -USR1 $2"
    let status = "until grep -q '\"status\"' .stderr; do sleep 0.01; done"
    let line = ": {}; \(wait); \(ask); \(status)"
    let run = try Opool("map", "--json", "-q", "--progress-every", "50ms", line, ":::", "x").run()
      .expect("")
    let lines = try reports(run.folder.text(of: ".stderr"))
    let types = Set(lines.compactMap { $0["type"] as? String })
    #expect(types == ["progress", "status", "summary"])
    let report = try #require(lines.first { $0["type"] as? String == "status" })
    let executions = try #require(report["executions"] as? [[String: Any]])
    #expect(executions.count == 1 && executions[0]["id"] as? String == "1")
  }

  @Test("a plan, with -q only its counts, and what is known of a journal")
  func plans() throws {
    let run = try Opool.shell(
      """
      opool map --dry-run --json echo ::: 'x y' b; opool map --dry-run --json -q echo ::: a
      opool map -q --journal j true ::: a b
      opool journal verify --json j; opool journal compact j --json
      opool journal verify --help | head -n 1; opool doctor --json
      """
    ).run().expect(stderr: "")
    let text = run.stdout.split(separator: "\n").filter { $0.hasPrefix("{") }
    let lines = try reports(text.joined(separator: "\n"))
    #expect(
      lines.compactMap { $0["type"] as? String } == [
        "operation", "operation", "plan", "plan", "journal", "compaction", "doctor",
      ]
    )
    #expect(lines[0]["command"] as? String == "echo 'x y'" && lines[2]["operations"] as? Int == 2)
    #expect(lines[4]["outcomes"] as? Int == 2 && lines[4]["whole"] as? Bool == true)
    #expect(lines[5]["file"] as? String == "j")
  }
}

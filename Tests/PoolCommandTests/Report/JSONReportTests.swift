import Foundation
import PoolAnalysis
import PoolEvents
import PoolJournal
import PoolModel
import PoolTestSupport
import PoolWire
import Testing

@testable import PoolCommand
@testable import PoolInputs
@testable import PoolReports

/// Contract: each report has its type, and exactly the fields that the published schema requires.
@Suite("Reports as JSON")
struct JSONReportTests {
  private func object(_ line: [UInt8]) throws -> [String: Any] {
    #expect(line.count { $0 == UInt8(ascii: "\n") } == 1 && line.last == UInt8(ascii: "\n"))
    return try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
  }

  /// The definition of a report in the schema.
  private func definition(_ type: String) throws -> [String: Any] {
    let file = Repository.root.appending(path: "Protocol/schema/report.json")
    let schema = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
    let definitions = try #require(schema?["$defs"] as? [String: [String: Any]])
    let choices = try #require(schema?["oneOf"] as? [[String: String]])
    #expect(Set(choices.compactMap { $0["$ref"] }) == Set(definitions.keys.map { "#/$defs/\($0)" }))
    return try #require(definitions[type])
  }

  /// Expects the fields of the schema, and of the items of a list in it.
  private func expectFields(_ line: [UInt8], list: String? = nil) throws -> [String: Any] {
    let object = try object(line)
    let definition = try definition(try #require(object["type"] as? String))
    #expect(Set(object.keys) == Set(try #require(definition["required"] as? [String])))
    guard let list else { return object }
    let properties = try #require(definition["properties"] as? [String: [String: Any]])
    let items = try #require(properties[list]?["items"] as? [String: Any])
    let first = try #require((object[list] as? [[String: Any]])?.first)
    #expect(Set(first.keys) == Set(try #require(items["required"] as? [String])))
    return object
  }

  private var progress: ProgressSnapshot {
    var progress = ProgressSnapshot(
      finished: 120,
      total: 500,
      executing: 8,
      failed: 3,
      elapsed: 60_000_000_000
    )
    progress.remaining = RemainingTime(nanoseconds: 190_000_000_000)
    return progress
  }

  @Test("the progress has its counts, and the time that may remain")
  func progressReport() throws {
    let report = try expectFields(progress.json)
    #expect(report["finished"] as? Int == 120 && report["total"] as? Int == 500)
    #expect(report["executing"] as? Int == 8 && report["failed"] as? Int == 3)
    #expect(report["elapsed"] as? Double == 60 && report["remaining"] as? Double == 190)
    var open = progress
    (open.isOpen, open.remaining) = (true, nil)
    let unknown = try expectFields(open.json)
    #expect(unknown["remaining"] is NSNull && unknown["open"] as? Bool == true)
  }

  @Test("the status has all that executes, however many")
  func status() throws {
    let executions = (1...150).map { number in
      StatusReport.Execution(
        id: bytes("\(number)"),
        label: "a\u{1B}",
        worker: "1",
        elapsed: 1_500_000_000,
        ending: number == 1 ? Standing.Ending(for: 1_000, as: .cancelled, by: "SIGTERM") : nil
      )
    }
    var facts = SlotFacts(slots: 160, taken: 150)
    (facts.ready, facts.pause) = (4, "later")
    var idle = progress
    idle.idle = IdleSlots(facts, progress)
    let status = StatusReport(
      process: 7,
      command: "opool run m",
      progress: idle,
      slots: facts,
      executions: executions
    )
    let report = try expectFields(status.json, list: "executions")
    _ = try expectFields(status.json, list: "idle")
    #expect(report["pid"] as? Int == 7 && report["command"] as? String == "opool run m")
    #expect(report["width"] as? Int == 160 && report["ready"] as? Int == 4)
    #expect(report["pause"] as? String == "later")
    let reasons = try #require(report["idle"] as? [[String: Any]])
    #expect(reasons.map { $0["for"] as? String } == ["pause", "dependencies"])
    #expect(reasons.map { $0["slots"] as? Int } == [4, 6])
    #expect(reasons[0]["reason"] as? String == "the run starts nothing: later")
    let list = try #require(report["executions"] as? [[String: Any]])
    #expect(list.count == 150 && list[0]["id"] as? String == "1")
    #expect(list[0]["elapsed"] as? Double == 1.5)
    let ending = try #require(list[0]["ending"] as? [String: Any])
    #expect(Set(ending.keys) == ["elapsed", "outcome", "step"] && list[1]["ending"] is NSNull)
  }

  @Test("each kind of reason for an idle slot has a word of the schema")
  func idleWords() throws {
    let limit = ResourceName(.limit, [])
    let category = ResourceName(.exclusive, [])
    let reasons: [IdleReason] = [
      .paused(""), .held(""), .handover, .starting, .pending(""),
      .lost("", nextIn: 0), .room, .retry(0), .input, .ending,
      .limit(limit, units: 1, holders: []), .limit(category, units: 1, holders: []),
      .dependencies([], count: 0),
    ]
    let properties = try definition("status")["properties"] as? [String: [String: Any]]
    let items = properties?["idle"]?["items"] as? [String: Any]
    let words = (items?["properties"] as? [String: [String: Any]])?["for"]?["enum"] as? [String]
    #expect(Set(reasons.map { "\($0.word)" }) == Set(try #require(words)))
  }

  @Test("every explanation has fields of the schema, and no field of it is without a use")
  func explanations() throws {
    let others = [Standing.Other([97], executing: nil)]
    let worker = WorkerID(rawValue: 1)
    let standings: [Standing] = [
      .ended(.failed), .ended(nil), .executing(worker, 1), .delayed(1),
      .ending(worker, 2, Standing.Ending(for: 1, as: .timedOut, by: nil)),
      .dependencies(others, more: 1), .barrier(isOwn: true, others[0]),
      .limit(ResourceName(.limit, [97]), units: 2, others),
      .limit(ResourceName(.exclusive, [97]), units: 1, others), .paused(.run, "x"), .heldBack("x"),
      .slot(count: 1, busy: 2, Standing.Turn(behind: 3, start: 4)), .held(.outside),
    ]
    var lines = standings.map { Explanation([120], $0).json }
    lines.append(RecordedExplanation(of: 0, in: Self.history).json)
    let definition = try definition("explanation")
    let properties = try #require(definition["properties"] as? [String: [String: Any]])
    let required = Set(try #require(definition["required"] as? [String]))
    var used: [String: Set<String>] = [:]
    for object in try lines.map({ try object($0) }) {
      let keys = Set(object.keys)
      #expect(keys.isSubset(of: properties.keys) && keys.isSuperset(of: required))
      for key in keys { used[key, default: []].insert(object[key] as? String ?? "") }
    }
    #expect(Set(used.keys) == Set(properties.keys))
    for key in ["state", "for"] {
      #expect(used[key] == Set(try #require(properties[key]?["enum"] as? [String])))
    }
  }

  /// An operation that was executed.
  private static var history: RunHistory {
    var history = RunHistory()
    let description = OperationDescription(id: [120])
    history.take(.submitted(SubmittedRecord(number: 0, description, key: nil)), at: .zero)
    let end = EndRecord(
      number: 0,
      ending: .succeeded,
      attempt: 1,
      worker: WorkerID(rawValue: 1),
      started: .zero,
      finished: .zero
    )
    history.take(.attemptEnded(end), at: .zero)
    history.take(.settled(end, counts: true), at: .zero)
    return history
  }

  @Test("a forecast has its slots, its time, and what binds it")
  func forecasts() throws {
    var plan = VirtualPlan()
    plan.nodes = (0..<4).map { _ in
      VirtualPlan.Node(attempts: [VirtualPlan.Attempt(duration: 1_000_000_000)])
    }
    let free = try #require(WidthForecast(plan, slots: 8))
    for place in plan.nodes.indices { plan.nodes[place].claims = [0] }
    var words: [String] = []
    for source in [ResourceName.Source.limit, .exclusive] {
      plan.resources = [VirtualPlan.Resource(name: ResourceName(source, [110]), units: 1)]
      let bound = try #require(WidthForecast(plan, slots: 4))
      let object = try object(ForecastText([bound]).json)
      let definition = try definition("forecast")
      let required = Set(try #require(definition["required"] as? [String]))
      let properties = try #require(definition["properties"] as? [String: Any])
      #expect(Set(object.keys).subtracting(required) == ["\(source)"])
      #expect(properties["\(source)"] != nil)
      words += [object["bound"] as? String ?? "", object["\(source)"] as? String ?? ""]
    }
    #expect(words == ["limit", "n", "exclusive", "n"])
    _ = try expectFields(ForecastText([free]).json)
  }

  @Test("the schema has all types of reports that the sources write, and no other")
  func types() throws {
    let sources = Repository.root.appending(path: "Sources")
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    var written: Set<String> = []
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: /JSONReport\.line\("(\w+)"\)/) {
        written.insert(String(match.output.1))
      }
    }
    let file = Repository.root.appending(path: "Protocol/schema/report.json")
    let schema = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
    let definitions = try #require(schema?["$defs"] as? [String: Any])
    #expect(Set(definitions.keys) == written)
  }

  @Test("a graph has its nodes, and its edges", arguments: ["nodes", "edges"])
  func graph(_ list: String) throws {
    let lines = [#"{"id":"a","run":["x"]}"#, #"{"id":"b","run":["x"],"after":["a"]}"#]
    let graph = try PlanGraph(try Manifest(bytes(lines.joined(separator: "\n"))))
    let report = try expectFields(graph.text(as: .json, nil), list: list)
    #expect((report[list] as? [Any])?.count == (list == "nodes" ? 2 : 1))
  }

  @Test("the summary has each ending, and the first failures")
  func summary() throws {
    var summary = Summary()
    let record = EndRecord(
      number: 3,
      ending: .failed,
      cause: .exit,
      exit: 3,
      message: "exit code 3"
    )
    summary.add(record) { OperationDescription(id: bytes("a\nb"), line: 7) }
    let skipped = EndRecord(
      number: 4,
      ending: .skipped,
      cause: .dependency,
      root: .init(3, .failed)
    )
    summary.add(skipped) { OperationDescription(id: bytes("c")) }
    summary.add(.succeeded)
    summary.addRetry()
    let object = try expectFields(summary.json(elapsed: 250_000_000), list: "failures")
    for ending in PoolEnding.allCases {
      let expected = [.failed, .skipped, .succeeded].contains(ending) ? 1 : 0
      #expect(object[ending.name] as? Int == expected, "\(ending)")
    }
    #expect(object["elapsed"] as? Double == 0.25 && object["retried"] as? Int == 1)
    let failure = try #require((object["failures"] as? [[String: Any]])?.first)
    #expect(failure["id"] as? String == "a\nb" && failure["line"] as? Int == 7)
    #expect(failure["reason"] as? String == "exit code 3" && failure["skipped"] as? Int == 1)
  }

  @Test("a plan has its operations and its counts")
  func plan() throws {
    let manifest = try Manifest(
      bytes(#"{"id":"a","kind":"k","payload":1,"barrier":true}"# + "\n")
    )
    let plan = DryRunPlan(manifest)
    var text: [UInt8] = []
    plan.appendJSON(position: 0, of: manifest, to: &text)
    let operation = try expectFields(text)
    #expect(operation["kind"] as? String == "k" && operation["command"] is NSNull)
    #expect(operation["details"] as? String == "barrier")
    let summary = try expectFields(plan.summary.json)
    #expect(summary["operations"] as? Int == 1 && summary["barriers"] as? Int == 1)
  }

  @Test("a journal has its counts, and a name that need not be text")
  func journal() throws {
    let summary = JournalSummary(JournalState(), recordCount: 4, isWhole: true)
    let object = try expectFields(summary.json(of: [0xFF]))
    #expect(object["records"] as? Int == 4 && object["whole"] as? Bool == true)
    #expect(object["file"] as? [String: String] == ["base64": "/w=="])
  }

  @Test("the doctor's findings are a report, too")
  func doctor() throws {
    let (text, _) = DoctorCommand.report(try #require(Self.doctorOptions))
    _ = try expectFields(text, list: "findings")
  }

  private static var doctorOptions: DoctorOptions? {
    var options = DoctorOptions()
    options.printsJSON = true
    return options
  }
}

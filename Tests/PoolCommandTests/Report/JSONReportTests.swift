import Foundation
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
    progress.remainingAtRate = 190_000_000_000
    return progress
  }

  @Test("the progress has its counts, and the time that may remain")
  func progressReport() throws {
    let report = try expectFields(progress.json)
    #expect(report["finished"] as? Int == 120 && report["total"] as? Int == 500)
    #expect(report["executing"] as? Int == 8 && report["failed"] as? Int == 3)
    #expect(report["elapsed"] as? Double == 60 && report["remaining"] as? Double == 190)
    var open = progress
    (open.isOpen, open.remainingAtRate) = (true, nil)
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
        elapsed: 1_500_000_000
      )
    }
    let status = StatusReport(progress: progress, executions: executions)
    let report = try expectFields(status.json, list: "executions")
    let list = try #require(report["executions"] as? [[String: Any]])
    #expect(list.count == 150 && list[0]["id"] as? String == "1")
    #expect(list[0]["elapsed"] as? Double == 1.5)
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

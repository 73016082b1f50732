import Foundation
import OperationPool
import PoolEvents
import PoolModel
import PoolTestSupport
import PoolWire
import Testing

@testable import PoolCommand
@testable import PoolInputs
@testable import PoolReports

/// Contract: the published schemas of manifests and results have every field and word, and no
/// other.
@Suite("JSON Schema")
struct SchemaTests {
  @Test("a manifest's schema has the manifest's fields")
  func manifest() throws {
    let schema = try properties(of: "manifest")
    #expect(Set(schema.keys) == Set(ManifestField.allCases.map(\.name)))
    let priorities = try #require(choices(schema["priority"]))
    #expect(Set(priorities) == ["veryLow", "low", "normal", "high", "veryHigh"])
    let classes = try #require(choices(schema["qos"]))
    #expect(Set(classes) == Set(PoolQualityOfService.allCases.map(\.name)))
  }

  @Test("the results' schema has the fields, outcomes and causes of results")
  func results() throws {
    let schema = try properties(of: "results")
    var writer = JSONWriter()
    ResultLine(
      EndRecord(number: 0, ending: .succeeded),
      OperationDescription(id: Array("a".utf8))
    )
    .append(to: &writer)
    let line = try #require(
      try JSONSerialization.jsonObject(with: Data(writer.bytes)) as? [String: Any]
    )
    #expect(Set(schema.keys) == Set(line.keys))
    #expect(Set(try #require(choices(schema["outcome"]))) == Set(PoolEnding.allCases.map(\.name)))
    let causes = Set(try #require(choices(schema["cause"])))
    let all = Set(PoolFailureCause.allCases.map(\.rawValue))
    #expect(causes == all.subtracting(["dependency"]))
  }

  @Test(
    "the schema of events has each kind of record, with its fields, outcomes, causes and manners"
  )
  func events() throws {
    let file = Repository.root.appending(path: "Protocol/schema/events.json")
    let schema = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
    let kinds = try #require(schema?["$defs"] as? [String: [String: Any]])
    var known: RunRecord.Kinds = []
    for record in RunRecord.examples {
      known.insert(record.kind)
      var writer = JSONWriter()
      record.append(to: &writer, at: .zero)
      let line = try #require(
        try JSONSerialization.jsonObject(with: Data(writer.bytes)) as? [String: Any]
      )
      let type = try #require(line["type"] as? String)
      let properties = try #require(kinds[type]?["properties"] as? [String: [String: Any]])
      #expect(Set(properties.keys) == Set(line.keys), "\(type)")
      #expect(Set(try #require(kinds[type]?["required"] as? [String])) == Set(line.keys), "\(type)")
    }
    #expect(known == .all)
    #expect(kinds.count == RunRecord.examples.count)
    let end = try #require(kinds["settled"]?["properties"] as? [String: [String: Any]])
    #expect(Set(try #require(choices(end["outcome"]))) == Set(PoolEnding.allCases.map(\.name)))
    let causes = Set(PoolFailureCause.allCases.map(\.rawValue))
    #expect(Set(try #require(choices(end["cause"]))) == causes)
    let death = try #require(kinds["workerEnded"]?["properties"] as? [String: [String: Any]])
    let manners = PoolWorkerDeath.Manner.allCases.map(\.rawValue)
    #expect(Set(try #require(choices(death["manner"]))) == Set(manners))
  }

  private func properties(of name: String) throws -> [String: [String: Any]] {
    let file = Repository.root.appending(path: "Protocol/schema/\(name).json")
    let schema = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
    let properties = try #require(schema?["properties"] as? [String: Any])
    return properties.mapValues { $0 as? [String: Any] ?? [:] }
  }

  /// The words of an `enum`, also in the first of several alternatives.
  private func choices(_ property: [String: Any]?) -> [String]? {
    let first = (property?["anyOf"] as? [[String: Any]])?.first
    return (property?["enum"] ?? first?["enum"]).flatMap { $0 as? [Any] }?.compactMap {
      $0 as? String
    }
  }
}

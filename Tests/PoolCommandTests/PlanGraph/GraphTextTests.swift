import Foundation
import PoolAnalysis
import PoolEvents
import PoolModel
import Testing

@testable import PoolInputs
@testable import PoolReports

/// Contract: in each language every text from outside is a text, and nothing else.
@Suite("Languages of graphs")
struct GraphTextTests {
  /// Texts that mean something in one of the languages.
  static let hostileTexts = [
    #"a" ]; evil [label=""#, #"back\slash\N\l\"#, "a&lt;b&amp;c<b>d</b>",
    "a\nb\tc\u{1B}[31m\u{202E}",
    "1. list", "`code` **bold**", "- item", "end", "--> n9", "#quot;#35;", "a|b|c", "%%{init}%%",
    "click n0 href", "é€😀ﬂ°¶ß", String(repeating: "long", count: 50) + "end", "<br/>x",
  ]

  private func manifest(_ ids: [String]) throws -> Manifest {
    let lines = try ids.map { id in
      let object: [String: Any] = ["id": id, "run": ["x", id]]
      return String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
    }
    return try Manifest(bytes(lines.joined(separator: "\n")))
  }

  private func lines(_ format: GraphFormat, _ ids: [String]) throws -> [String] {
    let text = try PlanGraph(try manifest(ids)).text(as: format, nil)
    let string = String(decoding: text, as: UTF8.self)
    #expect(Array(string.utf8) == text)
    return string.split(separator: "\n").map(String.init)
  }

  @Test("in dot a text cannot leave its quotes")
  func dot() throws {
    let lines = try lines(.dot, Self.hostileTexts)
    #expect(lines.first == #"digraph "opool plan" {"# && lines.last == "}")
    let nodes = lines.filter { $0.hasPrefix("  n") && !$0.hasPrefix("  node") }
    #expect(nodes.count == Self.hostileTexts.count)
    for (number, node) in nodes.enumerated() {
      #expect(node.hasPrefix("  n\(number) [label=\"") && node.hasSuffix("\"];"))
      let label = node.dropFirst("  n\(number) [label=\"".count).dropLast(3)
      // Escapes come in pairs, and no quote or entity is left.
      let plain = label.replacing(#"\\"#, with: "").replacing(#"\""#, with: "")
      #expect(!plain.contains("\"") && !plain.contains(#"\"#), "\(node)")
      #expect(!plain.replacing("&amp;", with: "").contains("&"), "\(node)")
    }
    #expect(nodes[0].contains(#"a\" ]; evil [label=\""#))
    #expect(nodes[1].contains(#"back\\slash\\N\\l\\"#))
    #expect(nodes[2].contains("a&amp;lt;b&amp;amp;c<b>d</b>"))
    #expect(nodes[3].contains(#"a\\nb\\tc\\x1B[31m\\u{202e}"#))
  }

  @Test("in Mermaid a text has letters, digits and numbers of characters alone")
  func mermaid() throws {
    let lines = try lines(.mermaid, Self.hostileTexts)
    #expect(lines.first == "flowchart LR")
    #expect(lines.count == Self.hostileTexts.count + 1)
    for (number, line) in lines.dropFirst().enumerated() {
      let label = line.dropFirst("  n\(number)[\"".count).dropLast(2)
      #expect(line == "  n\(number)[\"\(label)\"]")
      let plain = label.replacing(/#\d+;/, with: "")
      let signs = plain.filter { $0.isASCII && !$0.isLetter && !$0.isNumber && $0 != " " }
      #expect(signs.isEmpty, "\(line)")
    }
    #expect(lines[5] == ##"  n4["1#46; list"]"##)
    #expect(lines[8] == ##"  n7["end"]"##)
    #expect(lines[14] == "  n13[\"é€😀ﬂ\u{2060}°¶\u{2060}ß\"]")
  }

  @Test("in JSON identifiers and commands are whole")
  func json() throws {
    let lines = try lines(.json, Self.hostileTexts)
    #expect(lines.count == 1)
    let object = try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any]
    let nodes = try #require(object?["nodes"] as? [[String: Any]])
    #expect(nodes.map { $0["id"] as? String } == Self.hostileTexts)
  }

  @Test("a long identifier lacks its middle, so that ends that differ can be seen")
  func longNames() {
    let name = GraphLabel.cut(bytes(String(repeating: "é", count: 100) + "end"))
    let text = String(decoding: name, as: UTF8.self)
    #expect(text.hasPrefix("éé") && text.hasSuffix("éend") && text.contains("…"))
    #expect(text.count < 40 && !text.contains("\\x"))
  }

  @Test("an operation that has only a number is shown with its command")
  func numbers() throws {
    let manifest = try Manifest(bytes(#"{"shell":"echo \"hi\""}"#))
    let dot = String(decoding: try PlanGraph(manifest).text(as: .dot, nil), as: UTF8.self)
    #expect(dot.contains(#"n0 [label="1\necho \"hi\""];"#), "\(dot)")
  }

  /// Operations that ended in each way, that execute, and that never began.
  private func states(_ manifest: Manifest) -> PlanStates {
    var history = RunHistory()
    let endings: [PoolEnding?] = PoolEnding.allCases + [nil, nil]
    for (number, ending) in endings.enumerated() {
      let description = OperationDescription(id: Array("o\(number)".utf8))
      history.take(
        .submitted(SubmittedRecord(number: number, description, key: nil)),
        at: .zero
      )
      guard let ending else { continue }
      history.take(.settled(EndRecord(number: number, ending: ending), counts: true), at: .zero)
    }
    let start = AttemptStarted(
      number: PoolEnding.allCases.count,
      attempt: 1,
      worker: WorkerID(rawValue: 1),
      time: .zero
    )
    history.take(.started(start), at: .zero)
    return PlanStates(history, of: manifest)
  }

  @Test("what became of operations is told in words and colors, and what is new never executed")
  func colors() throws {
    let manifest = try manifest((0...8).map { "o\($0)" })
    let states = states(manifest)
    #expect(states.knownCount == 8)
    let graph = try PlanGraph(manifest)
    let words = graph.nodes.map {
      graph.lines(of: $0, states).last.map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(
      words == [
        "succeeded", "failed", "cancelled", "timed out", "lost", "skipped", "executing",
        "never executed", "never executed",
      ]
    )
    let dot = String(decoding: graph.text(as: .dot, states), as: UTF8.self)
    #expect(dot.contains(##"n1 [label="o1\nfailed", fillcolor="#f6b0ab"];"##))
    let mermaid = String(decoding: graph.text(as: .mermaid, states), as: UTF8.self)
    #expect(
      mermaid.contains("  class n7,n8 never\n") && mermaid.contains("  classDef timedOut fill:")
    )
  }

  @Test("a folded node counts its states, and has stripes of their colors")
  func stripes() throws {
    let lines = (0..<9).map { #"{"id":"o\#($0)","run":["x"],"group":"g"}"# }
    let manifest = try Manifest(bytes(lines.joined(separator: "\n")))
    let graph = try PlanGraph(manifest, limit: 3)
    let states = states(manifest)
    let dot = String(decoding: graph.text(as: .dot, states), as: UTF8.self)
    #expect(
      dot.contains(#"\n9 operations\n1 failed, 1 timed out, 1 lost, 1 executing, "#),
      "\(dot)"
    )
    #expect(dot.contains(##"style=striped, fillcolor="#f6b0ab;0.111:"##), "\(dot)")
    let json = try JSONSerialization.jsonObject(with: Data(graph.json(states))) as? [String: Any]
    let node = (json?["nodes"] as? [[String: Any]])?.first
    #expect((node?["states"] as? [String: Int])?["never"] == 2)
    let mermaid = String(decoding: graph.text(as: .mermaid, states), as: UTF8.self)
    #expect(mermaid.contains("  class n0 failed\n"))
  }

  @Test("a plan without operations has a graph", arguments: GraphFormat.allCases)
  func empty(_ format: GraphFormat) throws {
    let text = try PlanGraph(try manifest([])).text(as: format, nil)
    #expect(!text.isEmpty && text.last == UInt8(ascii: "\n"))
  }
}

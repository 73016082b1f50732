import Foundation
import PoolAnalysis
import PoolEvents
import PoolModel
import PoolTestSupport
import Testing

@testable import PoolInputs
@testable import PoolReports

/// Contract: a plan's picture shows every operation once, and every dependency; large plans are
/// folded, and what is around an operation is found.
@Suite("Graphs of plans")
struct PlanGraphTests {
  private func manifest(_ lines: [String]) throws -> Manifest {
    try Manifest(bytes(lines.joined(separator: "\n")))
  }

  /// Nodes and arrows as words.
  private func words(_ graph: PlanGraph) -> (nodes: [String], edges: [String]) {
    func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
    let nodes = graph.nodes.map { node in
      switch node.content {
      case .operation(let operation): text(graph.workload.id(of: operation))
      case .group(let group): "\(text(graph.workload.groupName(group)))*\(node.operations.count)"
      case .levels(let levels):
        "\(levels.lowerBound)-\(levels.upperBound)*\(node.operations.count)"
      }
    }
    let edges = graph.edges.map { edge, count in
      let meaning = edge.meaning == .succeeded ? "" : " \(edge.meaning)"
      return "\(nodes[edge.from])>\(nodes[edge.to])" + meaning + (count > 1 ? " x\(count)" : "")
    }
    return (nodes, edges)
  }

  @Test("each operation is a node, and each dependency an arrow with its requirement")
  func plain() throws {
    let manifest = try manifest([
      #"{"id":"a","run":["x"]}"#,
      #"{"id":"b","run":["x"],"after":["a"]}"#,
      #"{"id":"c","run":["x"],"after":["b",{"id":"a","when":"failed"}]}"#,
      #"{"id":"d","run":["x"],"inputs":{"i":"a"}}"#,
    ])
    let (nodes, edges) = words(try PlanGraph(manifest))
    #expect(nodes == ["a", "b", "c", "d"])
    #expect(edges == ["a>b", "a>c failed", "a>d", "b>c"])
  }

  @Test("a group that something waits for is a node, which its members lead to; others are none")
  func groups() throws {
    let manifest = try manifest([
      #"{"id":"a","run":["x"],"group":"g"}"#, #"{"id":"b","run":["x"],"group":"g"}"#,
      #"{"id":"c","run":["x"],"group":"h"}"#, #"{"id":"d","run":["x"],"after":["g"]}"#,
    ])
    let (nodes, edges) = words(try PlanGraph(manifest))
    #expect(nodes == ["a", "b", "c", "d", "g*0"])
    #expect(edges == ["a>g*0 member", "b>g*0 member", "g*0>d"])
    let folded = words(try PlanGraph(manifest, limit: 3))
    #expect(folded.nodes == ["g*2", "h*1", "d"])
    #expect(folded.edges == ["g*2>d"])
  }

  @Test("a barrier waits for the last ones before it, and the first ones behind wait for it")
  func barriers() throws {
    let manifest = try manifest([
      #"{"id":"a","run":["x"]}"#, #"{"id":"b","run":["x"],"after":["a"]}"#,
      #"{"id":"c","run":["x"]}"#, #"{"id":"B","run":["x"],"barrier":true}"#,
      #"{"id":"C","run":["x"],"barrier":true}"#, #"{"id":"d","run":["x"],"after":["a"]}"#,
      #"{"id":"e","run":["x"],"after":["d"]}"#,
    ])
    let edges = words(try PlanGraph(manifest)).edges
    #expect(
      edges == [
        "a>b", "a>d", "b>B barrier", "c>B barrier", "B>C barrier", "C>d barrier", "d>e",
      ]
    )
  }

  @Test("above the limit a group is one node, and arrows between groups are counted")
  func folding() throws {
    let lines = (0..<40).flatMap { number in
      [
        #"{"id":"f\#(number)","run":["x"],"group":"fetch"}"#,
        #"{"id":"c\#(number)","run":["x"],"group":"count","after":["f\#(number)"]}"#,
      ]
    }
    let manifest = try manifest(lines + [#"{"id":"end","run":["x"],"after":["count"]}"#])
    let (nodes, edges) = words(try PlanGraph(manifest))
    #expect(nodes == ["fetch*40", "count*40", "end"])
    #expect(edges == ["fetch*40>count*40 x40", "count*40>end"])
  }

  @Test("many operations without a group are folded by level, and many levels together")
  func levels() throws {
    let wide =
      (0..<100).map { #"{"id":"w\#($0)","run":["x"]}"# }
      + (0..<100).map { #"{"id":"x\#($0)","run":["x"],"after":["w\#($0)"]}"# }
    let (nodes, edges) = words(try PlanGraph(try manifest(wide)))
    #expect(nodes == ["1-1*100", "2-2*100"])
    #expect(edges == ["1-1*100>2-2*100 x100"])
    let chain = (0..<1_000).map { number in
      #"{"id":"c\#(number)","run":["x"]"#
        + (number > 0 ? #","after":["c\#(number - 1)"]}"# : "}")
    }
    let graph = try PlanGraph(try manifest(chain))
    #expect(graph.nodes.count <= PlanGraph.limit && graph.nodes.count > 50)
    #expect(graph.nodes.reduce(0) { $0 + $1.operations.count } == 1_000)
    #expect(graph.edges.count == graph.nodes.count - 1)
  }

  @Test("around an operation are as many steps as fit, at least one")
  func around() throws {
    let chain = (0..<200).map { number in
      #"{"id":"c\#(number)","run":["x"]"#
        + (number > 0 ? #","after":["c\#(number - 1)"]}"# : "}")
    }
    let graph = try PlanGraph(try manifest(chain), around: bytes("c100"), limit: 7)
    #expect(words(graph).nodes == (97...103).map { "c\($0)" })
    #expect(graph.neighbourhood?.steps == 3 && graph.neighbourhood?.fartherCount == 193)
    #expect(graph.centerNode == 3)
    let all = try PlanGraph(try manifest(chain), around: bytes("c0"), limit: 500)
    #expect(all.nodes.count == 200 && all.neighbourhood?.fartherCount == 0)
    let fan =
      (0..<90).map { #"{"id":"f\#($0)","run":["x"],"group":"g"}"# } + [
        #"{"id":"hub","run":["x"],"after":["g"]}"#,
        #"{"id":"end","run":["x"],"after":["hub"],"group":"g2"}"#,
        #"{"id":"z","run":["x"],"after":["end"]}"#, #"{"id":"other","run":["x"]}"#,
      ]
    let folded = try PlanGraph(try manifest(fan), around: bytes("hub"))
    #expect(words(folded).nodes == ["g*90", "hub", "g2*1"])
    #expect(words(folded).edges == ["g*90>hub", "hub>g2*1"])
    #expect(folded.neighbourhood?.steps == 1 && folded.neighbourhood?.fartherCount == 1)
    let member = try PlanGraph(try manifest(fan), around: bytes("f7"))
    #expect(words(member).nodes == ["f7", "hub", "end", "z", "g*0"])
    let own = words(try PlanGraph(try manifest(fan), around: bytes("f7"), limit: 1))
    #expect(own.nodes == ["f7", "g*0", "2-2*1"])
    let group = try PlanGraph(try manifest(fan), around: bytes("g2"))
    #expect(words(group).nodes.contains("z") && group.centerNode == nil)
  }

  @Test("a name that nothing has is refused with names that are similar, or contain it")
  func unknown() throws {
    let manifest = try manifest([
      #"{"id":"S01/align","run":["x"],"group":"align"}"#, #"{"id":"S02/align","run":["x"]}"#,
      #"{"id":"S03/count","run":["x"]}"#,
    ])
    func message(_ name: String) -> String? {
      let error = #expect(throws: UnknownNameError.self) {
        try PlanGraph(manifest, around: bytes(name))
      }
      return error?.message
    }
    #expect(
      message("S01/algin")
        == "no operation or group is called 'S01/algin'; did you mean 'S01/align'?"
    )
    #expect(
      message("/align")
        == "no operation or group is called '/align'; did you mean 'align' or 'S01/align' or 'S02/align'?"
    )
    #expect(message("zzzzz\n") == #"no operation or group is called 'zzzzz\n'"#)
  }

  /// In random manifests, pictures of every size lose no operation and no dependency.
  @Test("folded or not, every operation is in one node, and every dependency in one arrow")
  func random() throws {
    for seed in RandomSeeds.first(60) {
      var generator = SeededGenerator(seed: seed)
      let count = Int.random(in: 1...90, using: &generator)
      var dependencies = 0
      let lines = (0..<count).map { number in
        var fields = #"{"id":"o\#(number)","run":["x"]"#
        let group = Int.random(in: 0..<6, using: &generator)
        if group < 3 { fields += #","group":"g\#(group)""# }
        if number > 0, Bool.random(using: &generator) {
          fields += #","after":["o\#(Int.random(in: 0..<number, using: &generator))"]"#
          dependencies += 1
        }
        return fields + "}"
      }
      let graph = try PlanGraph(try manifest(lines))
      let shown = graph.nodes.flatMap(\.operations)
      #expect(shown.sorted() == Array(0..<count), "seed \(seed)")
      #expect(graph.nodes.count <= PlanGraph.limit, "seed \(seed)")
      let places = graph.nodes.enumerated().reduce(into: [Int: Int]()) { places, item in
        for operation in item.element.operations { places[operation] = item.offset }
      }
      var inner = 0
      for operation in 0..<count {
        graph.workload.forEachDependency(of: operation) { other, _ in
          if places[other] == places[operation] { inner += 1 }
        }
      }
      let counted = graph.edges.filter { $0.edge.meaning != .member }.reduce(0) { $0 + $1.count }
      #expect(counted + inner == dependencies, "seed \(seed)")
    }
  }
}

import PoolAnalysis
import PoolEvents
import PoolModel

/// Which groups wait for which, as a picture shows it.
struct GroupGraph {
  /// A group and where it is drawn.
  struct Node {
    /// The place of the group in the analysis.
    let group: Int
    /// The column: one more than that of every group it waits for, as far as there is no cycle.
    var column = 0
    var row = 0
  }

  private(set) var nodes: [Node]
  /// Pairs of places among the nodes: what is waited for, and what waits.
  private(set) var edges: [(from: Int, to: Int)] = []
  private(set) var columnCount = 1
  private(set) var rowCount = 1

  /// Lays out the groups that took most time; linear in dependencies.
  init(_ facts: PageFacts, limit: Int) {
    nodes = facts.groupsByTime.prefix(limit).sorted().map { Node(group: $0) }
    findEdges(facts)
    place()
  }

  private mutating func findEdges(_ facts: PageFacts) {
    var places = [Int](repeating: -1, count: facts.analysis.groups.count)
    for (place, node) in nodes.enumerated() { places[node.group] = place }
    let byName = Dictionary(
      facts.analysis.groups.enumerated().compactMap { place, group in
        group.name.map { ($0, place) }
      },
      uniquingKeysWith: { first, _ in first }
    )
    var seen: Set<Int> = []
    for (place, operation) in facts.history.operations.enumerated() {
      let to = places[facts.groupPlaces[place]]
      guard to >= 0 else { continue }
      for dependency in operation.submitted.dependencies {
        guard let group = group(of: dependency.number, facts, byName) else { continue }
        let from = places[group]
        guard from >= 0, from != to, seen.insert(from * nodes.count + to).inserted else { continue }
        edges.append((from, to))
      }
    }
  }

  private func group(of number: Int, _ facts: PageFacts, _ byName: [[UInt8]: Int]) -> Int? {
    if let place = facts.history.place(of: number) { return facts.groupPlaces[place] }
    return facts.history.groupPlace(of: number).flatMap { byName[facts.history.groups[$0].id] }
  }

  /// Moves nodes behind what they wait for; cycles between groups end after as many rounds.
  private mutating func place() {
    for _ in nodes.indices {
      var hasMoved = false
      for edge in edges where nodes[edge.to].column <= nodes[edge.from].column {
        guard nodes[edge.from].column + 1 < nodes.count else { continue }
        nodes[edge.to].column = nodes[edge.from].column + 1
        hasMoved = true
      }
      if !hasMoved { break }
    }
    closeGaps()
    var rows: [Int: Int] = [:]
    for index in nodes.indices {
      nodes[index].row = rows[nodes[index].column, default: 0]
      rows[nodes[index].column, default: 0] += 1
    }
    rowCount = max(rows.values.max() ?? 1, 1)
  }

  /// Cycles push nodes far away: columns without a node are left out.
  private mutating func closeGaps() {
    let used = Set(nodes.map(\.column)).sorted()
    let new = Dictionary(uniqueKeysWithValues: used.enumerated().map { ($1, $0) })
    for index in nodes.indices { nodes[index].column = new[nodes[index].column] ?? 0 }
    columnCount = max(used.count, 1)
  }
}

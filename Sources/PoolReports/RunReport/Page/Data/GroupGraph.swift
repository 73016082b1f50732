import PoolAnalysis
import PoolEvents
import PoolModel

/// Which groups wait for which, as a picture shows it; operations without a group stand for
/// themselves, as long as they are few.
struct GroupGraph {
  /// A group, or an operation, and where it is drawn.
  struct Node {
    let name: [UInt8]
    let count: Int
    let executionTime: Int64
    let failureCount: Int
    /// One more than that of everything it waits for, as far as there is no cycle.
    var column = 0
    var row = 0
  }

  private(set) var nodes: [Node] = []
  /// Pairs of places among the nodes: what is waited for, and what waits.
  private(set) var edges: [(from: Int, to: Int)] = []
  private(set) var columnCount = 1
  private(set) var rowCount = 1
  /// Number of groups that are not drawn.
  private(set) var hiddenCount = 0

  /// The node of each operation; -1 for none.
  private var nodePlaces: [Int]

  /// Lays out the groups that took most time; linear in dependencies.
  init(_ facts: PageFacts, limit: Int) {
    nodePlaces = Array(repeating: -1, count: facts.history.operations.count)
    let groups = facts.groupsByTime.prefix(limit).sorted()
    hiddenCount = facts.analysis.groups.count - groups.count
    for group in groups { addNodes(of: group, facts) }
    findEdges(facts)
    place()
  }

  private mutating func addNodes(of group: Int, _ facts: PageFacts) {
    let summary = facts.analysis.groups[group]
    guard summary.name == nil, summary.members.count <= Self.singleLimit else {
      for member in summary.members { nodePlaces[member] = nodes.count }
      let node = Node(
        name: facts.name(ofGroup: group),
        count: summary.members.count,
        executionTime: summary.executionTime,
        failureCount: summary.failureCount
      )
      return nodes.append(node)
    }
    for member in summary.members {
      let operation = facts.history.operations[member]
      nodePlaces[member] = nodes.count
      let node = Node(
        name: operation.id,
        count: 1,
        executionTime: operation.executionTime,
        failureCount: operation.ending?.isFailure == true ? 1 : 0
      )
      nodes.append(node)
    }
  }

  private mutating func findEdges(_ facts: PageFacts) {
    var seen: Set<Int> = []
    let history = facts.history
    lazy var groupNodes = groupNodes(history)
    for place in history.operations.indices where nodePlaces[place] >= 0 {
      let to = nodePlaces[place]
      for dependency in history.operations[place].submitted.dependencies {
        let from =
          history.place(of: dependency.number).map { nodePlaces[$0] }
          ?? groupNodes[dependency.number] ?? -1
        guard from >= 0, from != to, seen.insert(from * nodes.count + to).inserted else { continue }
        edges.append((from, to))
      }
    }
  }

  /// The node of each group that has members among the operations, by its number.
  private func groupNodes(_ history: RunHistory) -> [Int: Int] {
    var places: [Int: Int] = [:]
    for place in history.operations.indices {
      if let group = history.operations[place].submitted.group { places[group] = nodePlaces[place] }
    }
    return places
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

  private static let singleLimit = 16
}

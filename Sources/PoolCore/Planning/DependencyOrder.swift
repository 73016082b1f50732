/// The dependencies of many nodes in two flat arrays: compressed sparse rows.
///
/// Node `n` depends on `targets[offsets[n]..<offsets[n + 1]]`, so there is one more offset than
/// there are nodes. A graph of a million nodes is two arrays, not a million.
package struct DependencyRows: Sendable, Equatable {
  package private(set) var offsets: [UInt32] = [0]
  package private(set) var targets: [UInt32] = []

  package init() {}

  /// Number of rows that were ended.
  package var count: Int { offsets.count - 1 }

  /// Makes room for this number of rows and targets.
  package mutating func reserveCapacity(rows: Int, targets: Int) {
    offsets.reserveCapacity(rows + 1)
    self.targets.reserveCapacity(targets)
  }

  /// Adds a dependency to the current row.
  package mutating func append(_ target: Int) {
    targets.append(UInt32(target))
  }

  /// Ends the current row; the next one belongs to the next node.
  package mutating func endRow() {
    offsets.append(UInt32(targets.count))
  }

  /// The range of a node's dependencies in `targets`.
  package func range(of node: Int) -> Range<Int> {
    Int(offsets[node])..<Int(offsets[node + 1])
  }
}

/// A way from a node back to itself: each node depends on the next, and the last on the first.
package struct DependencyCycle: Error, Equatable {
  /// The nodes; the smallest comes first.
  package var path: [Int]
}

/// The levels of a graph of dependencies, and an order that respects them.
///
/// A node without dependencies has level 0, every other one a level above the highest of its
/// dependencies. The order is by level, then by node. Time and memory are linear in nodes and
/// edges, without recursion.
///
/// The last nodes may be *joins*, which only tie dependencies together: they pass levels on, and
/// are left out of levels and order.
package struct DependencyOrder: Sendable, Equatable {
  /// The level of each node except joins.
  package private(set) var levels: [UInt32]
  /// All nodes except joins, by level, then by number.
  package private(set) var order: [UInt32]
  /// Number of levels.
  package private(set) var levelCount: Int
  /// Number of nodes on the level that has most.
  package private(set) var widest: Int

  /// Orders the nodes; every target must be a node, and nodes from the first join on are joins.
  package init(
    _ rows: DependencyRows,
    joinsFrom firstJoin: Int = .max
  ) throws(DependencyCycle) {
    var search = LevelSearch(rows, firstJoin: firstJoin)
    for node in 0..<rows.count { try search.visit(node) }
    levels = search.levels
    if firstJoin < levels.count { levels.removeLast(levels.count - firstJoin) }
    let counts = Self.counts(of: levels)
    levelCount = counts.count
    widest = counts.max() ?? 0
    order = Self.sorted(levels, counts: counts)
  }

  private static func counts(of levels: [UInt32]) -> [Int] {
    var counts = [Int](repeating: 0, count: Int(levels.max().map { $0 + 1 } ?? 0))
    for level in levels { counts[Int(level)] += 1 }
    return counts
  }

  /// A counting sort, so that nodes of equal level keep their order.
  private static func sorted(_ levels: [UInt32], counts: [Int]) -> [UInt32] {
    var next: [Int] = []
    next.reserveCapacity(counts.count)
    var sum = 0
    for count in counts {
      next.append(sum)
      sum += count
    }
    var order = [UInt32](repeating: 0, count: levels.count)
    for (node, level) in levels.enumerated() {
      order[next[Int(level)]] = UInt32(node)
      next[Int(level)] += 1
    }
    return order
  }
}

/// A depth-first search with a stack of its own.
private struct LevelSearch {
  /// Values that no level can have; they mark a node's state.
  private static let unseen = UInt32.max
  private static let onPath = UInt32.max - 1

  /// A node on the path from the start of the search, and the next of its dependencies to look at.
  private struct Step {
    var node: Int
    var edge: Int
  }

  let rows: DependencyRows
  let firstJoin: Int
  /// The level of each node; for a join, the level of its dependents.
  var levels: [UInt32]
  private var path: [Step] = []

  init(_ rows: DependencyRows, firstJoin: Int) {
    self.rows = rows
    self.firstJoin = firstJoin
    levels = [UInt32](repeating: Self.unseen, count: rows.count)
  }

  /// Sets the levels of the node and of all its direct and indirect dependencies.
  mutating func visit(_ start: Int) throws(DependencyCycle) {
    guard levels[start] == Self.unseen else { return }
    enter(start)
    while let step = path.last {
      if let next = try nextUnseen(after: step) {
        enter(next)
      } else {
        levels[step.node] = level(of: step.node)
        path.removeLast()
      }
    }
  }

  private mutating func enter(_ node: Int) {
    levels[node] = Self.onPath
    path.append(Step(node: node, edge: rows.range(of: node).lowerBound))
  }

  private mutating func nextUnseen(after step: Step) throws(DependencyCycle) -> Int? {
    let end = rows.range(of: step.node).upperBound
    var edge = step.edge
    while edge < end {
      let target = Int(rows.targets[edge])
      edge += 1
      if levels[target] == Self.onPath { throw cycle(through: target) }
      if levels[target] == Self.unseen {
        path[path.count - 1].edge = edge
        return target
      }
    }
    return nil
  }

  private func level(of node: Int) -> UInt32 {
    var level: UInt32 = 0
    for edge in rows.range(of: node) {
      let target = Int(rows.targets[edge])
      level = max(level, levels[target] + (target < firstJoin ? 1 : 0))
    }
    return level
  }

  private func cycle(through node: Int) -> DependencyCycle {
    let nodes = path.map(\.node)
    let ring = Array(nodes[(nodes.lastIndex(of: node) ?? 0)...])
    guard let smallest = ring.min(), let first = ring.firstIndex(of: smallest) else {
      return DependencyCycle(path: [node])
    }
    return DependencyCycle(path: Array(ring[first...] + ring[..<first]))
  }
}

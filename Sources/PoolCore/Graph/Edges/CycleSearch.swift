/// Finds new levels that allow an edge, or the cycle that the edge would close.
///
/// A dependent's level is always above the levels of its dependencies, so the graph has no cycle.
/// If the dependent of a new edge is too low, there are two ways to correct the levels: *raise* the
/// dependent above the dependency, and with it every node that waits for it and is then too low; or
/// *lower* the dependency below the dependent, and with it every node that it waits for and that is
/// then too high. Which way touches fewer nodes is unknown beforehand, so the search explores both
/// in turn, one step each; it applies the one that finishes first, and drops the other. So an edge
/// costs at most twice the cheaper way, and joining two pieces of a chain costs at most the shorter
/// piece: O(n log n) for a whole chain.
///
/// If every change of levels were as small as possible, a node with many dependents that is linked
/// to the elements of a long chain, from its end on, would move all of its dependents or all of the
/// chain with every link. So some searches make more room than they need: see ``slack``.
///
/// The search misses no cycle. If the dependency already waited for the dependent, levels would
/// rise along some path from the dependent to the dependency. The raising frontier must lift every
/// node of that path above the dependency's level, so it skips none of them and is not exhausted
/// before it reaches the path's end; the same holds for the lowering frontier. The search reports
/// no false cycle either: the frontiers meet only at a node that waits for the dependent (or is it)
/// and that the dependency waits for (or is it).
struct CycleSearch {
  /// The effect of one frontier's step on the search.
  private enum Progress {
    case open
    case exhausted
    /// The step reached a node of the other frontier; the values are the visits on both sides.
    case met(own: Int, other: Int)
  }

  private var raise = SearchFrontier(.dependents)
  private var lower = SearchFrontier(.dependencies)
  /// The visit of each node, valid if a frontier confirms it; allocated by the first search, never
  /// cleared.
  private var marks: [UInt32] = []

  private var searchCount = 0

  /// How far above the minimum the new levels are.
  ///
  /// Every sixteenth search leaves a gap of sixteen, every thirty-second one of thirty-two, and so
  /// on, like the marks on a ruler. So nodes that are moved again and again mostly fit into a gap
  /// that exists: the chain above costs a logarithm for each link. With more or wider gaps,
  /// searches in graphs that are built in random order would go further than they need.
  private var slack: Int64 {
    let gap = Int64(searchCount & -searchCount)
    return gap < 16 ? 0 : gap
  }

  /// Number of steps taken; each looks at one node or one edge.
  private(set) var stepCount = 0

  /// Changes levels so that the dependent is above the dependency, or returns the cycle.
  ///
  /// A cycle's nodes begin with the dependent and the dependency, each waiting for the next.
  mutating func makeRoom(
    for dependent: Int,
    above dependency: Int,
    in rings: inout EdgeRings
  ) -> [Int]? {
    begin(dependent, dependency, rings)
    defer { clear() }
    while true {
      switch advanceRaise(rings) {
      case .open: break
      case .exhausted:
        raise.apply(to: &rings)
        return nil
      case .met(let own, let other): return cycle(raise: own, lower: other)
      }
      switch advanceLower(rings) {
      case .open: break
      case .exhausted:
        lower.apply(to: &rings)
        return nil
      case .met(let own, let other): return cycle(raise: other, lower: own)
      }
    }
  }

  private mutating func begin(_ dependent: Int, _ dependency: Int, _ rings: EdgeRings) {
    searchCount += 1
    let missing = rings.nodeCount - marks.count
    if missing > 0 { marks.append(contentsOf: repeatElement(0, count: missing)) }
    let above = rings.height(of: dependency, along: .dependents) + 1 + slack
    raise.begin(at: dependent, height: above, rings, &marks)
    let below = rings.height(of: dependent, along: .dependencies) + 1 + slack
    lower.begin(at: dependency, height: below, rings, &marks)
  }

  private mutating func advanceRaise(_ rings: EdgeRings) -> Progress {
    stepCount += 1
    return Self.advance(&raise, against: lower, rings, &marks)
  }

  private mutating func advanceLower(_ rings: EdgeRings) -> Progress {
    stepCount += 1
    return Self.advance(&lower, against: raise, rings, &marks)
  }

  private static func advance(
    _ frontier: inout SearchFrontier,
    against other: SearchFrontier,
    _ rings: EdgeRings,
    _ marks: inout [UInt32]
  ) -> Progress {
    switch frontier.step(rings, marks) {
    case .nothing:
      return .open
    case .exhausted:
      return .exhausted
    case .found(let node):
      if let visit = other.visit(of: node, marks) {
        return .met(own: frontier.current, other: visit)
      }
      frontier.visit(node, rings, &marks)
      return .open
    }
  }

  /// The dependent, then the path down from the dependency to the meeting, and on to the dependent.
  private func cycle(raise visit: Int, lower other: Int) -> [Int] {
    let down = lower.wayBack(from: other).reversed()
    let rest = raise.wayBack(from: visit)
    return rest.suffix(1) + down + rest.dropLast()
  }

  private mutating func clear() {
    raise.clear()
    lower.clear()
  }
}

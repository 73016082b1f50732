/// Finds levels with which a new edge can be, or the cycle that it would close.
///
/// In every graph here a dependent's level is above those of its dependencies, which no cycle
/// allows. A new edge whose dependent is too low is put right in one of two ways: *raise* the
/// dependent above the dependency, with all that waits for it as far as too low, or *lower* the
/// dependency below the dependent, with all that it waits for as far as too high. Which way touches
/// fewer nodes is not known before, so both are explored in turn, one step each; the one that comes
/// to its end first is carried out, the other forgotten. So an edge costs at most twice the lesser
/// of the two, and joining pieces of a chain at most the lesser piece: O(n log n) for all of it.
///
/// Were levels always changed by the least that will do, then a node with many dependents that
/// takes up a long chain, beginning at its end, would push all of one or the other with every link.
/// So now and then more room is made than is needed: see ``slack``.
///
/// A cycle is never missed: were the dependency waiting for the dependent already, then along
/// some path levels would rise from the dependent's to the dependency's. The raising front wants
/// each node of that path above the dependency's level, so it leaves out none, and cannot be
/// exhausted before the path's end is reached; in the same way neither can the lowering one. No
/// cycle is invented: the fronts meet at a node only if it waits for the dependent (or is it), and
/// the dependency waits for it (or is it).
struct CycleSearch {
  /// What one front's step means for the search.
  private enum Progress {
    case open
    case exhausted
    /// It came upon a node of the other front; the visits on both sides of the meeting.
    case met(own: Int, other: Int)
  }

  private var raise = SearchFront(.dependents)
  private var lower = SearchFront(.dependencies)
  /// For each node its visit, where a front says so; made by the first search, never cleared.
  private var marks: [UInt32] = []

  private var searchCount = 0

  /// How far beyond the least the new levels are to be.
  ///
  /// Every sixteenth search leaves a gap of sixteen, every thirty-second one of thirty-two, and so
  /// on, like the marks on a ruler. What is pushed again and again so mostly falls into a gap that
  /// is left: the chain above costs a logarithm a link. More and wider gaps would make searches
  /// in graphs that are built in no order at all go further than they need.
  private var slack: Int64 {
    let gap = Int64(searchCount & -searchCount)
    return gap < 16 ? 0 : gap
  }

  /// How many steps were taken; each looks at one node or one edge.
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
    _ front: inout SearchFront,
    against other: SearchFront,
    _ rings: EdgeRings,
    _ marks: inout [UInt32]
  ) -> Progress {
    switch front.step(rings, marks) {
    case .nothing:
      return .open
    case .exhausted:
      return .exhausted
    case .found(let node):
      if let visit = other.visit(of: node, marks) { return .met(own: front.current, other: visit) }
      front.visit(node, rings, &marks)
      return .open
    }
  }

  /// The dependent, then down from the dependency to the meeting, and on down to the dependent.
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

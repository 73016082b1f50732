/// One of the two explorations of a ``CycleSearch``: the nodes that must move with one end of a new
/// edge.
///
/// If the edge requires a greater height at its start, it requires one of all nodes that can be
/// reached from there and are too low. The frontier visits these and notes their new heights, but
/// changes no node until `apply`. It looks at a node after all visited nodes of a lower *old*
/// height. Old heights rise along every edge, so by then everything that can push the node has been
/// looked at: its new height is final, and each node and each edge is looked at once.
struct SearchFrontier {
  /// A node that must rise.
  private struct Visit {
    var node: UInt32
    /// The visit from which the node was first reached; the start node's visit names itself.
    var origin: UInt32
    /// The new height, as known so far.
    var height: Int64
  }

  /// The result of one step.
  enum Step {
    case nothing
    /// A node that is too low and has not been visited.
    case found(Int)
    /// No node or edge is left to look at.
    case exhausted
  }

  /// Number of visits for which a cleared frontier keeps memory.
  private static let keptVisitLimit = 4_096

  private let direction: EdgeDirection
  private var visits: [Visit] = []
  private var pending = HeightQueue()
  /// The visit whose edges are being followed; `edge` is the next one of these.
  private(set) var current = 0
  private var edge = EdgeRings.none

  init(_ direction: EdgeDirection) {
    self.direction = direction
  }

  /// Visits the node where the exploration starts.
  mutating func begin(at node: Int, height: Int64, _ rings: EdgeRings, _ marks: inout [UInt32]) {
    current = 0
    edge = EdgeRings.none
    visit(node, height: height, rings, &marks)
  }

  /// Visits a node that a step has found.
  mutating func visit(_ node: Int, _ rings: EdgeRings, _ marks: inout [UInt32]) {
    visit(node, height: visits[current].height + 1, rings, &marks)
  }

  private mutating func visit(
    _ node: Int,
    height: Int64,
    _ rings: EdgeRings,
    _ marks: inout [UInt32]
  ) {
    marks[node] = UInt32(visits.count)
    pending.insert(visits.count, height: rings.height(of: node, along: direction))
    visits.append(Visit(node: UInt32(node), origin: UInt32(current), height: height))
  }

  /// The node's visit in this frontier; the mark may be out of date or belong to another frontier.
  func visit(of node: Int, _ marks: [UInt32]) -> Int? {
    let index = Int(marks[node])
    return index < visits.count && visits[index].node == node ? index : nil
  }

  /// Takes the next node, or follows one edge of the current one.
  mutating func step(_ rings: EdgeRings, _ marks: [UInt32]) -> Step {
    guard edge != EdgeRings.none else { return takeNext(rings) }
    let node = rings.end(of: edge, direction)
    edge = rings.next(after: edge, direction)
    let least = visits[current].height + 1
    guard rings.height(of: node, along: direction) < least else { return .nothing }
    guard let visit = visit(of: node, marks) else { return .found(node) }
    visits[visit].height = max(visits[visit].height, least)
    return .nothing
  }

  private mutating func takeNext(_ rings: EdgeRings) -> Step {
    guard let next = pending.popFirst() else { return .exhausted }
    current = next
    edge = rings.first(from: Int(visits[next].node), direction)
    return .nothing
  }

  /// Gives every visited node its new height.
  func apply(to rings: inout EdgeRings) {
    for visit in visits { rings.setHeight(visit.height, of: Int(visit.node), along: direction) }
  }

  /// The nodes on the way from a visit back to the start, both included.
  func wayBack(from visit: Int) -> [Int] {
    var way = [Int(visits[visit].node)]
    var visit = visit
    while visit != 0 {
      visit = Int(visits[visit].origin)
      way.append(Int(visits[visit].node))
    }
    return way
  }

  mutating func clear() {
    let isSmall = visits.count <= Self.keptVisitLimit
    visits.removeAll(keepingCapacity: isSmall)
    pending.removeAll(keepingCapacity: isSmall)
  }
}

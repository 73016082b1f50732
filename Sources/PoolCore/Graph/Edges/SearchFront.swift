/// One of the two explorations of a ``CycleSearch``: the nodes that one end of a new edge pushes.
///
/// Where the edge wants its start higher, so must be all to which edges lead from there, as far as
/// they are too low: the front visits these and notes their new heights, and writes nothing to a
/// node before it is told to. A node is looked at when all visited ones with a lesser *old* height
/// have been. Old heights rise along every edge, so by then everything that can push the node has
/// done so: its new height is final, and each node and each edge is looked at once.
struct SearchFront {
  /// A node that must rise.
  private struct Visit {
    var node: UInt32
    /// The visit from which the node was reached first; the start is its own.
    var origin: UInt32
    /// The new height, as far as known.
    var height: Int64
  }

  /// What one step came upon.
  enum Step {
    case nothing
    /// A node that is too low and was not visited yet.
    case found(Int)
    /// Nothing is left to look at.
    case exhausted
  }

  /// The visits that a front may keep room for when it has been cleared.
  private static let keptVisitLimit = 4_096

  private let direction: EdgeDirection
  private var visits: [Visit] = []
  private var pending = HeightQueue()
  /// The visit whose edges are being followed, and the next one of these.
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

  /// Which visit a node has here; a mark may be another front's or an old one.
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

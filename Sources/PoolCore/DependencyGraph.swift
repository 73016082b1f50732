import PoolModel

/// Who waits for whom: for each operation the list of its dependents.
///
/// Lists live in one array of edges, each a ring that ends where it began, so that an operation
/// needs one number for its list, appending keeps the order, and a settled operation's whole list
/// is given back in constant time. An edge is twelve bytes.
struct DependencyGraph {
  /// One dependent of one operation.
  struct Edge {
    var dependent: UInt32
    var next: UInt32
    var requirement: PoolRequirement
  }

  /// The end of a list: no edge.
  static let none = UInt32.max

  private var edges: [Edge] = []
  private var firstFree = Self.none

  /// Edges in use.
  private(set) var count = 0

  /// Appends a dependent to the list whose last edge is `tail`, and updates `tail`.
  mutating func append(_ dependent: Int, _ requirement: PoolRequirement, to tail: inout UInt32) {
    let index = allocate()
    edges[Int(index)] = Edge(
      dependent: UInt32(dependent),
      next: tail == Self.none ? index : edges[Int(tail)].next,
      requirement: requirement
    )
    if tail != Self.none { edges[Int(tail)].next = index }
    tail = index
    count += 1
  }

  /// Gives the list whose last edge is `tail` back, each dependent to the closure, in order.
  mutating func drain(_ tail: inout UInt32, _ body: (Int, PoolRequirement) -> Void) {
    guard tail != Self.none else { return }
    let first = edges[Int(tail)].next
    var index = first
    repeat {
      let edge = edges[Int(index)]
      body(Int(edge.dependent), edge.requirement)
      index = edge.next
      count -= 1
    } while index != first
    edges[Int(tail)].next = firstFree
    firstFree = first
    tail = Self.none
  }

  private mutating func allocate() -> UInt32 {
    guard firstFree != Self.none else {
      edges.append(Edge(dependent: 0, next: Self.none, requirement: .finished))
      return UInt32(edges.count - 1)
    }
    let index = firstFree
    firstFree = edges[Int(index)].next
    return index
  }
}

import PoolModel

/// A dense set of nodes and the edges between them, which can be walked both ways.
///
/// Every edge is in two rings: among the dependents of its dependency, and among the dependencies
/// of its dependent. A node stores the last edge of each ring, so it needs one number for each, and
/// appending keeps the order. All edges are in one array; unused ones form a free list within it.
struct EdgeRings {
  /// No edge.
  static let none = UInt32.max

  private var nodes: [GraphNode] = []
  private var edges: [GraphEdge] = []
  private var firstFree = Self.none

  /// Number of edges in use.
  private(set) var count = 0

  var nodeCount: Int { nodes.count }

  /// Makes room for this number of nodes; if that needs memory, at least doubles the capacity.
  mutating func reserve(_ count: Int) {
    guard count > nodes.capacity else { return }
    nodes.reserveCapacity(max(count, nodes.capacity * 2))
  }

  /// Resets a node to one without edges, at level 0.
  mutating func addNode(_ node: Int) {
    while nodes.count <= node { nodes.append(GraphNode()) }
    precondition(isAlone(node), "a node is used again when no edge is left at it")
    nodes[node].level = 0
  }

  private func isAlone(_ node: Int) -> Bool {
    isEmpty(node, .dependents) && isEmpty(node, .dependencies)
  }
}

// Levels.
extension EdgeRings {
  /// The level, negated for one direction, so that it rises along every edge of the walk.
  func height(of node: Int, along direction: EdgeDirection) -> Int64 {
    direction == .dependents ? nodes[node].level : -nodes[node].level
  }

  mutating func setHeight(_ height: Int64, of node: Int, along direction: EdgeDirection) {
    nodes[node].level = direction == .dependents ? height : -height
  }
}

// Looking at rings.
extension EdgeRings {
  /// Whether no edge leads from the node in this direction.
  func isEmpty(_ node: Int, _ direction: EdgeDirection) -> Bool {
    nodes[node][direction] == Self.none
  }

  /// The first edge that leads from a node in a direction, or `none`.
  func first(from node: Int, _ direction: EdgeDirection) -> UInt32 {
    let last = nodes[node][direction]
    return last == Self.none ? last : edges[Int(last)][direction].next
  }

  /// The edge that follows in the ring of the same node, or `none`.
  func next(after edge: UInt32, _ direction: EdgeDirection) -> UInt32 {
    let origin = edges[Int(edge)].end(direction.opposite)
    return edge == nodes[origin][direction] ? Self.none : edges[Int(edge)][direction].next
  }

  /// The node to which an edge leads.
  func end(of edge: UInt32, _ direction: EdgeDirection) -> Int {
    edges[Int(edge)].end(direction)
  }

  func requirement(of edge: UInt32) -> PoolRequirement {
    edges[Int(edge)].requirement
  }

  /// Passes the node at the other end of each edge to the closure, in order.
  func walk(from node: Int, _ direction: EdgeDirection, _ body: (Int, PoolRequirement) -> Void) {
    var edge = first(from: node, direction)
    while edge != Self.none {
      body(end(of: edge, direction), requirement(of: edge))
      edge = next(after: edge, direction)
    }
  }

  /// Whether an edge's neighbours in a ring point back to it.
  func isLinked(_ edge: UInt32, _ direction: EdgeDirection) -> Bool {
    let link = edges[Int(edge)][direction]
    return edges[Int(link.next)][direction].previous == edge
      && edges[Int(link.previous)][direction].next == edge
  }

  /// The edge between two nodes, or nil.
  ///
  /// Searches both rings that would contain it side by side: O(the shorter one).
  func find(_ dependent: Int, _ dependency: Int) -> UInt32? {
    var up = first(from: dependency, .dependents)
    var down = first(from: dependent, .dependencies)
    while up != Self.none, down != Self.none {
      if end(of: up, .dependents) == dependent { return up }
      if end(of: down, .dependencies) == dependency { return down }
      up = next(after: up, .dependents)
      down = next(after: down, .dependencies)
    }
    return nil
  }
}

// Changing rings.
extension EdgeRings {
  /// Appends an edge to both of its rings.
  mutating func append(_ dependent: Int, _ dependency: Int, _ requirement: PoolRequirement) {
    let index = firstFree == Self.none ? UInt32(edges.count) : firstFree
    let alone = GraphEdge.Link(next: index, previous: index)
    place(
      GraphEdge(
        dependent: UInt32(dependent),
        dependency: UInt32(dependency),
        amongDependents: alone,
        amongDependencies: alone,
        requirement: requirement
      ),
      at: index
    )
    attach(index, .dependents)
    attach(index, .dependencies)
    count += 1
  }

  private mutating func place(_ edge: GraphEdge, at index: UInt32) {
    guard index != edges.count else { return edges.append(edge) }
    firstFree = edges[Int(index)].amongDependents.next
    edges[Int(index)] = edge
  }

  /// Removes an edge from both of its rings.
  mutating func remove(_ edge: UInt32) {
    detach(edge, .dependents)
    detach(edge, .dependencies)
    free(edge)
  }

  /// Empties one ring of a node, and passes the other end of each edge to the closure, in order;
  /// O(degree).
  @inline(__always)
  mutating func removeAll(
    _ node: Int,
    _ direction: EdgeDirection,
    _ body: (Int, PoolRequirement) -> Void
  ) {
    if !isEmpty(node, direction) { removeEdges(node, direction, body) }
  }

  private mutating func removeEdges(
    _ node: Int,
    _ direction: EdgeDirection,
    _ body: (Int, PoolRequirement) -> Void
  ) {
    var edge = first(from: node, direction)
    while edge != Self.none {
      let following = next(after: edge, direction)
      body(end(of: edge, direction), requirement(of: edge))
      detach(edge, direction.opposite)
      free(edge)
      edge = following
    }
    nodes[node][direction] = Self.none
  }

  private mutating func attach(_ edge: UInt32, _ direction: EdgeDirection) {
    let origin = end(of: edge, direction.opposite)
    let last = nodes[origin][direction]
    nodes[origin][direction] = edge
    guard last != Self.none else { return }
    let first = edges[Int(last)][direction].next
    edges[Int(edge)][direction] = GraphEdge.Link(next: first, previous: last)
    edges[Int(last)][direction].next = edge
    edges[Int(first)][direction].previous = edge
  }

  private mutating func detach(_ edge: UInt32, _ direction: EdgeDirection) {
    let origin = end(of: edge, direction.opposite)
    let link = edges[Int(edge)][direction]
    guard link.next != edge else {
      nodes[origin][direction] = Self.none
      return
    }
    edges[Int(link.previous)][direction].next = link.next
    edges[Int(link.next)][direction].previous = link.previous
    if nodes[origin][direction] == edge { nodes[origin][direction] = link.previous }
  }

  private mutating func free(_ edge: UInt32) {
    edges[Int(edge)].amongDependents.next = firstFree
    firstFree = edge
    count -= 1
  }
}

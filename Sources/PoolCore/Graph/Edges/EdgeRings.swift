import PoolModel

/// A dense set of nodes and the edges between them, which can be walked both ways.
///
/// Every edge is in two rings: among the dependents of its dependency, and among the dependencies
/// of its dependent. A ring is known by its last edge, so a node needs one number for each, and
/// appending keeps the order. All edges live in one array, those not in use in a list within it.
struct EdgeRings {
  /// No edge.
  static let none = UInt32.max

  private var nodes: [GraphNode] = []
  private var edges: [GraphEdge] = []
  private var firstFree = Self.none

  /// Edges in use.
  private(set) var count = 0

  var nodeCount: Int { nodes.count }

  /// Makes room for so many nodes, and for no fewer than twice those that there is room for.
  mutating func reserve(_ count: Int) {
    guard count > nodes.capacity else { return }
    nodes.reserveCapacity(max(count, nodes.capacity * 2))
  }

  /// Makes a node a node with no edges, at level 0.
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
  /// The level as a walk in one direction sees it: rising with every edge, whichever direction.
  func height(of node: Int, along direction: EdgeDirection) -> Int64 {
    direction == .dependents ? nodes[node].level : -nodes[node].level
  }

  mutating func setHeight(_ height: Int64, of node: Int, along direction: EdgeDirection) {
    nodes[node].level = direction == .dependents ? height : -height
  }
}

// Looking at rings.
extension EdgeRings {
  /// Whether there is nothing to walk to from a node.
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

  /// Gives each other end, in order, to the closure.
  func walk(from node: Int, _ direction: EdgeDirection, _ body: (Int, PoolRequirement) -> Void) {
    var edge = first(from: node, direction)
    while edge != Self.none {
      body(end(of: edge, direction), requirement(of: edge))
      edge = next(after: edge, direction)
    }
  }

  /// Whether an edge's neighbours in a ring know it.
  func isLinked(_ edge: UInt32, _ direction: EdgeDirection) -> Bool {
    let link = edges[Int(edge)][direction]
    return edges[Int(link.next)][direction].previous == edge
      && edges[Int(link.previous)][direction].next == edge
  }

  /// The edge between two nodes, or nil.
  ///
  /// Both rings in which it would be are looked through side by side: O(the shorter one).
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

  /// Takes an edge out of both of its rings.
  mutating func remove(_ edge: UInt32) {
    detach(edge, .dependents)
    detach(edge, .dependencies)
    free(edge)
  }

  /// Empties one ring of a node, each edge's other end to the closure, in order; O(degree).
  @inline(__always)
  mutating func drain(
    _ node: Int,
    _ direction: EdgeDirection,
    _ body: (Int, PoolRequirement) -> Void
  ) {
    if !isEmpty(node, direction) { drainEdges(node, direction, body) }
  }

  private mutating func drainEdges(
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

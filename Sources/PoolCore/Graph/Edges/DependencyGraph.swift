import PoolModel

/// Dependencies and dependents, without a cycle; edges can be walked both ways.
///
/// A node is a handle, which is reused. An edge takes twenty-eight bytes, a node sixteen. Adding an
/// edge costs O(1) if the dependent's level is already above the dependency's, if the dependent has
/// no dependents, or if the dependency has no dependencies; see ``CycleSearch`` for the rest.
struct DependencyGraph<Node: SlabHandle> {
  private(set) var rings = EdgeRings()
  private(set) var search = CycleSearch()
  /// Number of levels found without a search.
  private(set) var shortcutCount = 0

  /// Edges in use.
  var count: Int { rings.count }

  /// Makes room for this total number of nodes.
  mutating func reserve(_ nodes: Int) {
    rings.reserve(nodes)
  }

  /// Resets the node to one without edges.
  ///
  /// A node that is reused must have no edges left: those to its dependents were removed, and those
  /// to its dependencies removed or released.
  mutating func addNode(_ node: Node) {
    rings.addNode(node.offset)
  }

  /// Makes `dependent` wait for `dependency`, unless that would close a cycle.
  ///
  /// Returns nil, or the cycle and changes nothing. Each node of the cycle would wait for the next
  /// one, and the last for the first; it begins with `dependent` and `dependency`. Linking the same
  /// two again adds a second edge, so ask ``requirement(_:on:)`` before.
  mutating func link(
    _ dependent: Node,
    to dependency: Node,
    _ requirement: PoolRequirement
  ) -> [Node]? {
    guard dependent != dependency else { return [dependent] }
    if let cycle = makeRoom(for: dependent.offset, above: dependency.offset) {
      return cycle.map { Node($0) }
    }
    rings.append(dependent.offset, dependency.offset, requirement)
    return nil
  }

  /// Removes an edge; returns false if there is none; O(the smaller degree).
  mutating func unlink(_ dependent: Node, from dependency: Node) -> Bool {
    guard let edge = rings.find(dependent.offset, dependency.offset) else { return false }
    rings.remove(edge)
    return true
  }

  /// Removes all edges to a dependency that has ended, and passes each dependent to the closure.
  ///
  /// The order is that of linking; O(degree), without recursion.
  @inline(__always)
  mutating func removeDependents(
    of dependency: Node,
    _ body: (_ dependent: Node, PoolRequirement) -> Void
  ) {
    rings.removeAll(dependency.offset, .dependents) { body(Node($0), $1) }
  }

  /// Removes all edges from a dependent that no longer waits; O(degree).
  @inline(__always)
  mutating func release(_ dependent: Node) {
    rings.removeAll(dependent.offset, .dependencies) { _, _ in }
  }
}

// Looking at the graph.
extension DependencyGraph {
  /// Whether anything waits for a node.
  func isAwaited(_ node: Node) -> Bool { !rings.isEmpty(node.offset, .dependents) }

  /// Passes each dependency of a node to the closure, in the order of linking.
  func forEachDependency(of node: Node, _ body: (Node, PoolRequirement) -> Void) {
    rings.walk(from: node.offset, .dependencies) { body(Node($0), $1) }
  }

  /// Passes each dependent of a node to the closure, in the order of linking.
  func forEachDependent(of node: Node, _ body: (Node, PoolRequirement) -> Void) {
    rings.walk(from: node.offset, .dependents) { body(Node($0), $1) }
  }

  /// Whether a node waits for another one, directly or through others; false if this number of
  /// edges does not suffice to find out.
  ///
  /// Levels rise along every path, so nodes at or above the level of the dependent are left out.
  func isReachable(_ dependent: Node, from dependency: Node, steps: Int) -> Bool {
    let level = rings.height(of: dependent.offset, along: .dependents)
    var (rest, seen, left) = ([dependency.offset], Set([dependency.offset]), steps)
    while let node = rest.popLast() {
      var edge = rings.first(from: node, .dependents)
      while edge != EdgeRings.none, left > 0 {
        let next = rings.end(of: edge, .dependents)
        if next == dependent.offset { return true }
        if rings.height(of: next, along: .dependents) < level, seen.insert(next).inserted {
          rest.append(next)
        }
        left -= 1
        edge = rings.next(after: edge, .dependents)
      }
    }
    return false
  }

  /// Broken invariants in words; empty if there are none; O(everything), for tests.
  func brokenInvariants() -> [String] {
    rings.brokenInvariants()
  }
}

// Levels.
extension DependencyGraph {
  /// Brings a dependent's level above a dependency's, or returns the cycle that forbids it.
  ///
  /// No search is needed if the dependent has no dependents or the dependency no dependencies.
  private mutating func makeRoom(for dependent: Int, above dependency: Int) -> [Int]? {
    let level = rings.height(of: dependency, along: .dependents)
    guard rings.height(of: dependent, along: .dependents) <= level else { return nil }
    if rings.isEmpty(dependent, .dependents) {
      move(dependent, past: dependency, .dependents)
    } else if rings.isEmpty(dependency, .dependencies) {
      move(dependency, past: dependent, .dependencies)
    } else {
      return search.makeRoom(for: dependent, above: dependency, in: &rings)
    }
    return nil
  }

  private mutating func move(_ node: Int, past other: Int, _ direction: EdgeDirection) {
    shortcutCount += 1
    rings.setHeight(rings.height(of: other, along: direction) + 1, of: node, along: direction)
  }
}

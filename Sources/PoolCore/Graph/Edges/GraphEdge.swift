import PoolModel

/// The two ways to walk along an edge.
enum EdgeDirection {
  /// From a dependency to its dependents.
  case dependents
  /// From a dependent to its dependencies.
  case dependencies

  var opposite: Self { self == .dependents ? .dependencies : .dependents }
}

/// One edge between a dependency and a dependent.
///
/// It is in two rings: that of the dependency's dependents, and that of the dependent's
/// dependencies.
struct GraphEdge {
  /// The edge's neighbours in one ring.
  struct Link {
    var next: UInt32
    var previous: UInt32
  }

  var dependent: UInt32
  var dependency: UInt32
  var amongDependents: Link
  var amongDependencies: Link
  var requirement: PoolRequirement

  /// The edge's place in the ring that is walked in a direction.
  subscript(direction: EdgeDirection) -> Link {
    get { direction == .dependents ? amongDependents : amongDependencies }
    set {
      switch direction {
      case .dependents: amongDependents = newValue
      case .dependencies: amongDependencies = newValue
      }
    }
  }

  /// The node to which the edge leads.
  func end(_ direction: EdgeDirection) -> Int {
    Int(direction == .dependents ? dependent : dependency)
  }
}

/// A million edges must fit into tens of megabytes.
let graphEdgeSizeLimit = 28

/// The last edges of a node's two rings, and its level.
struct GraphNode {
  var dependents = EdgeRings.none
  var dependencies = EdgeRings.none
  /// Above the levels of all dependencies and below those of all dependents; not always the lowest
  /// such level.
  var level: Int64 = 0

  /// The last edge of the ring that is walked in a direction.
  subscript(direction: EdgeDirection) -> UInt32 {
    get { direction == .dependents ? dependents : dependencies }
    set {
      switch direction {
      case .dependents: dependents = newValue
      case .dependencies: dependencies = newValue
      }
    }
  }
}

/// A million nodes must fit into tens of megabytes as well.
let graphNodeSizeLimit = 16

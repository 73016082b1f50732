import PoolCore

/// Everything that the operations of a manifest wait for: dependencies, barriers and groups.
///
/// Behind the operations come the groups, and behind these one join before each barrier. A join
/// waits for the barrier before it, and for all operations between the two. So two barriers around
/// a thousand operations cost two edges for each of them, not one for each pair.
struct ManifestGraph {
  private let dependencies: DependencyRows
  private let extras: ManifestExtras

  init(_ dependencies: DependencyRows, _ extras: ManifestExtras) {
    self.dependencies = dependencies
    self.extras = extras
  }

  /// The levels of the operations; groups and joins add no level.
  func order() throws(DependencyCycle) -> DependencyOrder {
    if extras.barriers.isEmpty, extras.groups.count == 0 {
      return try DependencyOrder(dependencies)
    }
    return try DependencyOrder(rows, joinsFrom: dependencies.count)
  }

  private var firstJoin: Int { dependencies.count + extras.groups.count }

  /// The nodes that each node waits for.
  var rows: DependencyRows {
    var rows = DependencyRows()
    let barrierEdges = extras.barriers.isEmpty ? 0 : dependencies.count * 2
    rows.reserveCapacity(
      rows: firstJoin + extras.barriers.count,
      targets: dependencies.targets.count + barrierEdges + extras.memberships.elements.count
    )
    appendOperations(to: &rows)
    appendGroups(to: &rows)
    appendJoins(to: &rows)
    return rows
  }

  private func appendOperations(to rows: inout DependencyRows) {
    // Number of barriers before the operation.
    var passed = 0
    for operation in 0..<dependencies.count {
      for edge in dependencies.range(of: operation) {
        rows.append(Int(dependencies.targets[edge]))
      }
      if passed < extras.barriers.count, extras.barriers[passed] == operation {
        rows.append(firstJoin + passed)
        passed += 1
      } else if passed > 0 {
        rows.append(Int(extras.barriers[passed - 1]))
      }
      rows.endRow()
    }
  }

  private func appendGroups(to rows: inout DependencyRows) {
    var members = [[Int]](repeating: [], count: extras.groups.count)
    for (operation, groups) in extras.memberships.rows {
      for group in groups { members[Int(group)].append(operation) }
    }
    for list in members {
      for operation in list { rows.append(operation) }
      rows.endRow()
    }
  }

  private func appendJoins(to rows: inout DependencyRows) {
    var start = 0
    for barrier in extras.barriers {
      for operation in start..<Int(barrier) { rows.append(operation) }
      rows.endRow()
      start = Int(barrier)
    }
  }
}

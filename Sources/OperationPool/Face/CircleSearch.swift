/// Finds operations that wait for each other in a circle.
///
/// Only operations that were added are looked into: a circle does no harm before its last member
/// is added, and is found then. One whose dependencies were all added can be on no later circle
/// and is never looked into again, so that the total cost is linear in the edges for graphs that
/// are built from either end.
struct CircleSearch {
  /// Operations between the one that the search began at and the one at hand.
  private var path: [Step] = []
  private var onPath: Set<ObjectIdentifier> = []
  private var seen: Set<ObjectIdentifier> = []
  /// What was found to be on no circle, provided that everything stays added.
  private var closed: [PoolOperation] = []

  private struct Step {
    var operation: PoolOperation
    var pending: [PoolOperation]
    var isClosed = true
  }

  /// The operations of a circle that can be reached from one of these, or nil.
  ///
  /// Where there is one, the operations are not going to be added, and what was found out about
  /// them is forgotten.
  mutating func find(from operations: [PoolOperation]) -> [PoolOperation]? {
    for operation in operations where operation.mayCloseCircle {
      guard let circle = search(from: operation) else { continue }
      for operation in closed { operation.isClosed = false }
      return circle
    }
    return nil
  }

  private mutating func search(from start: PoolOperation) -> [PoolOperation]? {
    enter(start)
    while let step = path.last {
      guard let next = path[path.count - 1].pending.popLast() else {
        leave(step)
        continue
      }
      if onPath.contains(ObjectIdentifier(next)) {
        return path.map(\.operation).drop { $0 !== next }.map { $0 }
      }
      if next.mayCloseCircle, !seen.contains(ObjectIdentifier(next)) {
        enter(next)
      } else if !next.isClosed {
        path[path.count - 1].isClosed = false
      }
    }
    return nil
  }

  private mutating func enter(_ operation: PoolOperation) {
    let pending = operation.requirements.reversed().map(\.operation)
    path.append(Step(operation: operation, pending: pending))
    onPath.insert(ObjectIdentifier(operation))
    seen.insert(ObjectIdentifier(operation))
  }

  private mutating func leave(_ step: Step) {
    path.removeLast()
    onPath.remove(ObjectIdentifier(step.operation))
    if step.isClosed {
      close(step.operation)
    } else if !path.isEmpty {
      path[path.count - 1].isClosed = false
    }
  }

  private mutating func close(_ operation: PoolOperation) {
    operation.isClosed = true
    closed.append(operation)
  }
}

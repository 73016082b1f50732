package import PoolModel

// What would follow from the end of operations, before they end.

extension Graph {
  /// The operations that would be skipped if these were cancelled, in the order in which that would
  /// be found out: those whose requirement a cancelled, or a skipped, dependency does not meet.
  ///
  /// A group counts as ending as the gravest of these of its members. Changes nothing; O(operations
  /// that are skipped, and their edges).
  package func skips(afterCancelling ids: [OperationID]) -> [OperationID] {
    var forecast = SkipForecast()
    for id in ids {
      guard let handle = operations.handle(of: id), !operations[handle].state.isSettled else {
        continue
      }
      forecast.end(handle, as: .cancelled)
    }
    let cancelledCount = forecast.ends.count
    while let (handle, ending) = forecast.next() {
      edges.forEachDependent(of: groups.end(of: handle)) { dependent, requirement in
        if operations[dependent].role.hasTally {
          forecast.end(dependent, as: ending.ofGroup)
        } else if !requirement.isMet(by: ending), operations[dependent].state.acceptsDependencies {
          forecast.end(dependent, as: .skipped)
        }
      }
    }
    return forecast.ends.dropFirst(cancelledCount).compactMap { handle, _ in
      operations[handle].role == .plain ? operations.id(of: handle) : nil
    }
  }
}

/// The ends that would follow, each once.
private struct SkipForecast {
  private(set) var ends: [(OperationHandle, PoolEnding)] = []
  private var known: Set<OperationHandle> = []
  private var passedOn = 0

  mutating func end(_ handle: OperationHandle, as ending: PoolEnding) {
    if known.insert(handle).inserted { ends.append((handle, ending)) }
  }

  /// The next end whose dependents were not looked at.
  mutating func next() -> (OperationHandle, PoolEnding)? {
    guard passedOn < ends.count else { return nil }
    defer { passedOn += 1 }
    return ends[passedOn]
  }
}

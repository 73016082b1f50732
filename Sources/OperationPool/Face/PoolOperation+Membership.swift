import Synchronization

// Which queue or group an operation belongs to.

extension PoolOperation {
  /// The groups that it is in, from the innermost outwards.
  var enclosingGroups: [PoolOperation] {
    var groups: [PoolOperation] = []
    var next = group
    while let group = next {
      groups.append(group)
      next = group.group
    }
    return groups
  }

  /// Whether the queue waits for it: it is in the queue itself, or in a group that is.
  func isInside(_ queue: QueueCore) -> Bool {
    ([self] + enclosingGroups).contains { $0.queue === queue }
  }
}

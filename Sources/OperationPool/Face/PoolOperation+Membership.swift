import Synchronization

// Which queue or group an operation belongs to.

extension PoolOperation {
  /// Marks the operation as being in a queue, its group's where it is a member; false where it is
  /// in one, or was.
  func enter(_ queue: QueueCore, of group: PoolGroupOperation? = nil) -> Bool {
    book.withLock { book in
      guard book.queue == nil, book.outcome == nil, book.isAdded == (group != nil),
        book.groupKey == group.map({ ObjectIdentifier($0) })
      else { return false }
      book.isAdded = true
      book.queue = queue
      return true
    }
  }

  /// Marks the operation as a member of a group; false where it is in a queue or group, or was.
  func join(_ group: PoolGroupOperation) -> Bool {
    book.withLock { book in
      guard !book.isAdded, book.outcome == nil else { return false }
      book.isAdded = true
      book.group = group
      book.groupKey = ObjectIdentifier(group)
      return true
    }
  }

  /// Takes the mark back, because the queue refused the batch, or the group is gone.
  func leaveQueue() {
    book.withLock { book in
      book.isAdded = false
      book.queue = nil
      book.group = nil
      book.groupKey = nil
    }
  }

  /// The group that it is a member of.
  var group: PoolGroupOperation? { book.withLock { $0.group } }

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

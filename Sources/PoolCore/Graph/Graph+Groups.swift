import PoolModel

// A group is an operation with members; it has ended when its members have ended.
//
// A group that executes nothing waits for its members, and its ending follows from theirs. A group
// that is executed has a hidden operation beside it, its end: the end waits for the group and all
// members, and dependents of the group wait for its end. Members wait for the group itself until it
// executes. So the search for cycles finds those through a group like all others: a member that
// waits for a dependent of the group, or a group that waits for a dependent of a member.

extension Graph {
  /// Makes an operation that is in no queue a member of a group that has not settled.
  ///
  /// Returns nil, or the cycle that this would close, and changes nothing; each operation of the
  /// cycle waits for the next.
  mutating func addMember(
    _ member: OperationID,
    to group: OperationID,
    _ context: inout EventContext
  ) -> [OperationID]? {
    guard let handle = outside(member), let whole = operations.handle(of: group),
      operations[whole].role.hasMembers, !operations[whole].state.isSettled
    else { return nil }
    let isHeldBack = operations[whole].role == .executedGroup && operations[whole].attempt == 0
    if isHeldBack, let cycle = edges.link(handle, to: whole, .finished) {
      return cycle.compactMap { name(of: $0) }
    }
    let end = groups.end(of: whole)
    if let cycle = edges.link(end, to: groups.end(of: handle), .finished) {
      if isHeldBack { _ = edges.unlink(handle, from: whole) }
      return cycle.compactMap { name(of: $0) }
    }
    if isHeldBack {
      operations[handle].unmet += 1
      revokeReadiness(handle, &context)
    }
    operations[end].unmet += 1
    revokeReadiness(end, &context)
    // The members inherit the priority of urgent dependents of the group.
    raiseDependencies(of: end)
    return nil
  }

  /// Removes an operation that has not entered a queue from a group.
  mutating func removeMember(
    _ member: OperationID,
    from group: OperationID,
    _ context: inout EventContext
  ) {
    guard let handle = outside(member) else { return }
    let last = groups.end(of: handle)
    var ends: [OperationHandle] = []
    edges.forEachDependent(of: last) { other, _ in
      if operations[other].role.executesNothing, name(of: other) == group { ends.append(other) }
    }
    for end in ends where edges.unlink(end, from: last) { meetDependency(end, &context) }
    if let whole = operations.handle(of: group), edges.unlink(handle, from: whole) {
      meetDependency(handle, &context)
    }
  }

  /// Creates the hidden end of a group.
  mutating func addGroupEnd(of handle: OperationHandle) {
    let end = makeHidden(.groupEnd)
    // Neither of the two has dependents yet, so this closes no cycle.
    _ = edges.link(end, to: handle, .finished)
    operations[end].unmet = 1
    groups.add(end, of: operations.id(of: handle))
  }

  /// An operation executes: if it is a group, its members no longer wait for it.
  mutating func releaseMembers(of handle: OperationHandle, _ context: inout EventContext) {
    let end = groups.end(of: handle)
    var members: [OperationHandle] = []
    edges.forEachDependent(of: handle) { other, _ in
      if other != end { members.append(other) }
    }
    for member in members where edges.unlink(member, from: handle) {
      meetDependency(member, &context)
    }
  }

  /// An operation will never execute: if it is a group, its end no longer waits for members.
  mutating func dissolveGroup(_ handle: OperationHandle) {
    guard groups.isGroup(handle) else { return }
    let end = groups.end(of: handle)
    var members: [OperationHandle] = []
    edges.forEachDependency(of: end) { other, _ in
      if other != handle { members.append(other) }
    }
    for member in members where edges.unlink(end, from: member) { operations[end].unmet -= 1 }
  }

  /// An operation settles: if it is a group, its end takes the group's ending, whatever those of
  /// the members.
  mutating func concludeGroup(_ handle: OperationHandle, _ ending: PoolEnding, root: OperationID) {
    if operations[handle].role == .groupEnd { return groups.removeEnd(handle) }
    guard let end = groups.removeGroup(handle) else { return }
    operations[end].tally = ending
    roots[end] = root
  }

  /// The operation that stands for a node in a reported cycle: the group for its end, nil for the
  /// entry or exit of a barrier.
  func name(of handle: OperationHandle) -> OperationID? {
    if operations[handle].role == .groupEnd { return groups.group(of: handle) }
    return operations[handle].role == .barrierEnd ? nil : operations.id(of: handle)
  }
}

import PoolModel

// A group is an operation with members: it has ended when they have.
//
// A group that executes nothing waits for its members, and ends as they have. Beside one that is
// executed stands another one, hidden, its end: it waits for the group and for all members, and
// what waits for the group waits for its end. Members wait for the group itself, until that
// executes. So cycles through a group are found like all others, whether an operation inside
// waits for one outside that waits for the group, or the group for one that waits for a member.

extension Graph {
  /// Makes an operation that is in no queue a member of a group that has not settled.
  ///
  /// Returns nil, or, changing nothing, the cycle that would be closed, each waiting for the next.
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
    // What waits urgently for the group waits for its members.
    raiseDependencies(of: end)
    return nil
  }

  /// Takes an operation out of a group again that has not entered a queue.
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

  /// Puts an operation's end beside it.
  mutating func addGroupEnd(of handle: OperationHandle) {
    let end = makeHidden(.groupEnd)
    // Nothing waits for either yet, so that this closes no cycle.
    _ = edges.link(end, to: handle, .finished)
    operations[end].unmet = 1
    groups.add(end, of: operations.id(of: handle))
  }

  /// An operation executes: where it is a group, its members wait for it no longer.
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

  /// An operation cannot execute any more: where it is a group, its end waits for no member.
  mutating func dissolveGroup(_ handle: OperationHandle) {
    guard groups.isGroup(handle) else { return }
    let end = groups.end(of: handle)
    var members: [OperationHandle] = []
    edges.forEachDependency(of: end) { other, _ in
      if other != handle { members.append(other) }
    }
    for member in members where edges.unlink(end, from: member) { operations[end].unmet -= 1 }
  }

  /// An operation settles: where it is a group, its end will be as its own, whatever its members'.
  mutating func concludeGroup(_ handle: OperationHandle, _ ending: PoolEnding, root: OperationID) {
    if operations[handle].role == .groupEnd { return groups.removeEnd(handle) }
    guard let end = groups.removeGroup(handle) else { return }
    operations[end].tally = ending
    roots[end] = root
  }

  /// What a node of a cycle is called; nil for what no user has made.
  func name(of handle: OperationHandle) -> OperationID? {
    if operations[handle].role == .groupEnd { return groups.group(of: handle) }
    return operations[handle].role == .barrierEnd ? nil : operations.id(of: handle)
  }
}

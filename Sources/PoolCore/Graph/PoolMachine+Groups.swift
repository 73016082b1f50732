package import PoolModel

// A group is an operation with members: they wait until it executes, and it has ended when they
// have.
//
// Beside the group stands a hidden join, its end: it waits for the group and for all members, and
// whoever waits for the group waits for its end. Members wait for the group itself, until that
// executes. So cycles through a group are found like all others, whether an operation inside
// waits for one outside that waits for the group, or the group for one that waits for a member.

/// Which operations are groups.
struct GroupTable {
  /// The slot of a group's end, by the group's slot.
  private var ends: [OperationHandle: OperationHandle] = [:]
  /// The group of an end, by the end's slot.
  private var groups: [OperationHandle: OperationID] = [:]

  /// What others wait for that wait for an operation: its end if it is a group, or itself.
  func end(of slot: OperationHandle) -> OperationHandle {
    ends.isEmpty ? slot : ends[slot] ?? slot
  }

  /// The group that an end belongs to.
  func group(of end: OperationHandle) -> OperationID? { groups[end] }

  func isGroup(_ slot: OperationHandle) -> Bool { !ends.isEmpty && ends[slot] != nil }

  mutating func add(_ end: OperationHandle, of group: OperationID) {
    ends[group.handle] = end
    groups[end] = group
  }

  /// The group has settled: from now on its slot stands for nothing but itself.
  mutating func removeGroup(_ slot: OperationHandle) -> OperationHandle? {
    ends.isEmpty ? nil : ends.removeValue(forKey: slot)
  }

  mutating func removeEnd(_ end: OperationHandle) {
    groups[end] = nil
  }
}

extension PoolMachine {
  /// Makes an operation that is in no queue a member of a group that has not settled: it waits
  /// until the group executes, and the group's dependents wait for it.
  ///
  /// Returns nil, or, changing nothing, the cycle that would be closed, each waiting for the next.
  package mutating func addMember(
    _ member: OperationID,
    to group: OperationID
  ) -> [OperationID]? {
    guard let slot = operations.slot(of: member), let whole = operations.slot(of: group),
      operations[slot].state.isOutside, groups.isGroup(whole)
    else { return nil }
    let hasBegun = operations[whole].hasBegun
    if !hasBegun, let cycle = graph.link(slot, to: whole, .finished) {
      return cycle.compactMap { name(of: $0) }
    }
    let end = groups.end(of: whole)
    if let cycle = graph.link(end, to: groups.end(of: slot), .finished) {
      if !hasBegun { _ = graph.unlink(slot, from: whole) }
      return cycle.compactMap { name(of: $0) }
    }
    if !hasBegun { operations[slot].unmet += 1 }
    operations[end].unmet += 1
    // Whoever waits urgently for the group waits for its members.
    raiseDependencies(from: end)
    return nil
  }

  /// Takes an operation out of a group again that has not entered a queue.
  package mutating func removeMember(
    _ member: OperationID,
    from group: OperationID,
    at now: Instant
  ) {
    guard let slot = operations.slot(of: member), operations[slot].state.isOutside else { return }
    let last = groups.end(of: slot)
    var ends: [OperationHandle] = []
    graph.forEachDependent(of: last) { other, _ in
      if groups.group(of: other) == group { ends.append(other) }
    }
    for end in ends where graph.unlink(end, from: last) { meet(end, at: now) }
    if let whole = operations.slot(of: group), graph.unlink(slot, from: whole) {
      meet(slot, at: now)
    }
    settleAftermath(at: now)
  }

  /// Puts an operation's end beside it.
  mutating func addGroupEnd(of slot: OperationHandle) {
    let end = makeHidden(.groupEnd)
    // Nothing waits for either yet, so that this closes no cycle.
    _ = graph.link(end, to: slot, .finished)
    operations[end].unmet = 1
    groups.add(end, of: operations.id(of: slot))
  }

  /// An operation executes: where it is a group, its members wait for it no longer.
  mutating func releaseMembers(of slot: OperationHandle, at now: Instant) {
    guard groups.isGroup(slot) else { return }
    let end = groups.end(of: slot)
    var members: [OperationHandle] = []
    graph.forEachDependent(of: slot) { other, _ in
      if other != end { members.append(other) }
    }
    for member in members where graph.unlink(member, from: slot) { meet(member, at: now) }
    settleAftermath(at: now)
  }

  /// Nobody can execute an operation any more: where it is a group, its end waits for no member.
  mutating func dissolveGroup(_ slot: OperationHandle) {
    guard groups.isGroup(slot) else { return }
    let end = groups.end(of: slot)
    var members: [OperationHandle] = []
    graph.forEachDependency(of: end) { other, _ in
      if other != slot { members.append(other) }
    }
    for member in members where graph.unlink(end, from: member) { operations[end].unmet -= 1 }
  }

  /// An operation settles: where it is a group, its end will be as its own, whatever its members'.
  mutating func concludeGroup(_ slot: OperationHandle, _ ending: PoolEnding, root: OperationID) {
    if operations[slot].role == .groupEnd { return groups.removeEnd(slot) }
    guard let end = groups.removeGroup(slot) else { return }
    operations[end].tally = ending
    roots[end] = root
  }

  /// What a node of a cycle is called; nil for what nobody has made.
  func name(of slot: OperationHandle) -> OperationID? {
    if operations[slot].role == .groupEnd { return groups.group(of: slot) }
    return operations[slot].role == .gate ? nil : operations.id(of: slot)
  }
}

extension OperationLife {
  /// Whether a worker has ever begun it.
  fileprivate var hasBegun: Bool { attempt > 0 }
}

import PoolModel

// A group is an operation with members; it has ended when its members have ended. No worker is
// given a group, and it takes no slot and no unit: its members take them.
//
// A manifest's group is a node that waits for its members. The library's is gated: its members wait
// until its dependencies have ended and its conditions hold. It has a hidden operation beside it,
// its end: the end waits for the group and all members, and dependents of the group wait for its
// end. So the search for cycles finds those through a group like all others: a member that waits
// for a dependent of the group, or a group that waits for a dependent of a member.

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
    let isGated = operations[whole].role == .gatedGroup
    let isHeldBack = isGated && !operations[whole].state.isOpen
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
    if isGated { operations[handle].group = whole }
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
    leaveGroup(handle)
  }

  private mutating func leaveGroup(_ handle: OperationHandle) {
    guard operations[handle].group != .none else { return }
    operations[handle].group = .none
    if operations[handle].isInQueue, let queue = operations[handle].queue {
      lists[queue].memberCount -= 1
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

  /// The members of a group that have not settled.
  func members(of handle: OperationHandle) -> [OperationHandle] {
    var members: [OperationHandle] = []
    edges.forEachDependency(of: groups.end(of: handle)) { other, _ in
      if other != handle { members.append(groups.group(of: other)?.handle ?? other) }
    }
    return members
  }

  /// A group, and all of its members that are in its queue, those of groups among them included.
  func partsInQueue(of group: OperationID) -> [OperationHandle] {
    guard let whole = operations.handle(of: group), groups[whole] != nil else { return [] }
    var (parts, place) = ([whole], 0)
    while place < parts.count {
      if groups[parts[place]] != nil {
        parts += members(of: parts[place]).filter { operations[$0].isInQueue }
      }
      place += 1
    }
    return parts
  }

  /// Whether an operation is a member of a gated group.
  @inline(__always)
  func isMember(_ handle: OperationHandle) -> Bool { operations[handle].group != .none }

  /// What a member claims because its group does.
  func claimsOfGroup(of handle: OperationHandle) -> ClaimsHandle {
    operations[operations[handle].group].claims
  }

  /// The operation that stands for a node in a reported cycle: the group for its end, nil for the
  /// entry or exit of a barrier.
  func name(of handle: OperationHandle) -> OperationID? {
    if operations[handle].role == .groupEnd { return groups.group(of: handle) }
    return operations[handle].role == .barrierEnd ? nil : operations.id(of: handle)
  }
}

extension OperationLife {
  /// Whether it is a group that waits for nothing, and is not open.
  fileprivate var isDueToOpen: Bool {
    guard role == .gatedGroup, unmet == 0, preparation != .needed else { return false }
    if case .preparing = state { return true }
    return state == .waiting
  }
}

// MARK: - From open to settled

extension Graph {
  /// Nothing that a group waited for is left: its members wait for it no longer.
  ///
  /// Does nothing if it must wait again, or ends already.
  mutating func open(_ handle: OperationHandle, _ context: inout EventContext) {
    guard operations[handle].isDueToOpen else { return }
    operations[handle].queuedAt = context.now
    note(handle, .ready, &context)
    operations[handle].open()
    if isObserved(handle) {
      context.effects.append(.notifyChange(operations.id(of: handle), .opened))
    }
    let end = groups.end(of: handle)
    var members: [OperationHandle] = []
    edges.forEachDependent(of: handle) { other, _ in
      if other != end { members.append(other) }
    }
    for member in members where edges.unlink(member, from: handle) {
      meetDependency(member, &context)
    }
    if edges.unlink(end, from: handle) { meetDependency(end, &context) }
  }

  /// A worker begins an operation: its groups begin with their first member, and so does their
  /// time.
  mutating func beginGroups(of handle: OperationHandle, at now: Instant) {
    var group = operations[handle].group
    while group != .none, operations[group].attempt == 0 {
      operations[group].begin(at: now)
      if let deadline = deadline(ofGroup: group) { timers.arm(group, at: deadline) }
      group = operations[group].group
    }
  }

  /// A member has begun before that was heard of, and so have its groups.
  mutating func noteGroupStarts(of handle: OperationHandle, at start: Instant) {
    var group = operations[handle].group
    while group != .none, operations[group].startedAt > start {
      operations[group].moveStart(to: start)
      group = operations[group].group
    }
  }

  /// When the time of a group is over that has begun, has a timeout, and is not ending.
  func deadline(ofGroup handle: OperationHandle) -> Instant? {
    let life = operations[handle]
    guard life.state == .open(.undecided), life.attempt > 0, life.timeout != .max else {
      return nil
    }
    return life.startedAt.advanced(by: life.timeout)
  }

  /// A group is to end in this way: its members are cancelled, and it settles when they have ended.
  mutating func endGroup(
    _ handle: OperationHandle,
    as end: OperationEnd,
    _ context: inout EventContext
  ) {
    guard !operations[handle].state.isEnding else { return }
    groups[handle]?.verdict = end
    let isOpen = operations[handle].state.isOpen
    if !isOpen {
      forgetDependencies(of: handle)
      operations[handle].open()
    }
    if end.ending == .cancelled {
      operations[handle].cancel()
    } else {
      operations[handle].beginEnding()
    }
    cancelMembers(of: handle)
    let last = groups.end(of: handle)
    if !isOpen, edges.unlink(last, from: handle) { meetDependency(last, &context) }
  }

  /// Cancels the members before anything is told of it, so that none is skipped because of another.
  mutating func cancelMembers(of handle: OperationHandle) {
    pendingChanges += members(of: handle).reversed().map { .cancellation($0) }
  }

  /// Cancels a member, because its group ends.
  mutating func cancelWithGroup(_ handle: OperationHandle, _ context: inout EventContext) {
    context.effects.append(.notifyChange(operations.id(of: handle), .cancelledWithGroup))
    cancel(handle, &context)
  }

  /// Whether a member's group ends.
  func endsWithGroup(_ handle: OperationHandle) -> Bool {
    let group = operations[operations[handle].group].state
    return group.isCancelled || group.isEnding
  }

  private mutating func forgetDependencies(of handle: OperationHandle) {
    var dependencies: [OperationHandle] = []
    edges.forEachDependency(of: handle) { other, _ in dependencies.append(other) }
    for other in dependencies where edges.unlink(handle, from: other) {
      operations[handle].unmet -= 1
    }
  }

  /// All members have ended: the group settles, and its end with it.
  mutating func settleGroup(by end: OperationHandle, _ context: inout EventContext) {
    if let group = groups.group(of: end)?.handle, let life = groups[group] {
      settle(group, as: groupEnd(life, operations[group]), &context)
    }
    let ending = operations[end].tally
    let cause = ending == .succeeded ? EndingCause.answer : .dependency
    settle(end, as: OperationEnd(ending, cause, root: roots[end]), &context)
  }

  /// How a group ends: as was decided, else as its members did.
  ///
  /// Where all succeeded although they were asked to stop, so did the group.
  private func groupEnd(_ life: GroupTable.Life, _ group: OperationLife) -> OperationEnd {
    let tally = operations[life.end].tally
    let hasSucceeded = tally == .succeeded && group.attempt > 0
    if let verdict = life.verdict, verdict.ending != .cancelled || !hasSucceeded { return verdict }
    if tally == .succeeded { return OperationEnd(.succeeded, .answer) }
    return OperationEnd(.failed, .member, root: roots[life.end])
  }

  /// An operation will never enter a queue: if it is a group, it and its members no longer wait for
  /// each other, so that no member takes the group's ending for that of a dependency.
  mutating func dissolveGroup(_ handle: OperationHandle, _ context: inout EventContext) {
    guard groups[handle] != nil else { return }
    let end = groups.end(of: handle)
    for member in members(of: handle) where edges.unlink(end, from: groups.end(of: member)) {
      operations[end].unmet -= 1
      if edges.unlink(member, from: handle) { meetDependency(member, &context) }
      leaveGroup(member)
    }
  }

  /// A group settles: its end takes the group's ending, whatever those of the members.
  mutating func concludeGroup(_ handle: OperationHandle, _ ending: PoolEnding, root: OperationID) {
    if operations[handle].role == .groupEnd { return groups.removeEnd(handle) }
    guard let end = groups.removeGroup(handle) else { return }
    operations[end].tally = ending
    roots[end] = root
  }
}

import PoolModel

@testable import PoolCore

// Groups that hold their members back.

extension SimulatedPool {
  /// Makes an operation that is in no queue a member of some group; of one in a queue, it enters
  /// that.
  mutating func join(_ index: Int) {
    guard operations[index].isCreated, operations[index].group == nil,
      let group = pick({ $0.spec.role == .gatedGroup && $0.ending == nil && !$0.isReleased })
    else { return }
    let (id, whole) = (operations[index].id, operations[group].id)
    // One that has settled in this event, which is not told yet, takes no member.
    guard !machine.graph.operations[whole.handle].state.isSettled else { return }
    if let cycle = machine.change(.addMember(id, to: whole), at: now) { return checkCycle(cycle) }
    if index == group { problems.append("\(index) is a member of itself") }
    operations[index].group = group
    guard let queue = operations[group].queue else { return }
    add([index], to: queue)
    guard operations[index].queue == nil else { return }
    operations[index].group = nil
    machine.change(.removeMember(id, from: whole), at: now)
  }

  /// A batch with the members of its groups, each behind its group.
  func withMembers(_ batch: [Int]) -> [Int] {
    batch.flatMap { index in
      [index] + withMembers(operations.indices.filter { operations[$0].group == index })
    }
  }

  /// A group that never was in a queue is let go: its members are free.
  mutating func dissolve(_ group: Int) {
    for index in operations.indices where operations[index].group == group {
      operations[index].group = nil
    }
  }

  /// A group is cancelled, and all that is in it.
  mutating func noteCancelled(_ index: Int) {
    for part in withMembers([index]) where operations[part].ending == nil {
      operations[part].isCancelled = true
    }
  }

  /// Finds out which groups have opened.
  mutating func noteOpenGroups() {
    for index in operations.indices where operations[index].spec.role == .gatedGroup {
      guard operations[index].isUnsettled else { continue }
      operations[index].isOpen = machine.graph.operations[operations[index].id.handle].state.isOpen
    }
  }

  /// Whether those that have opened might; asked when all that has happened was told.
  mutating func checkOpenGroups() {
    for index in operations.indices where operations[index].isOpen && !operations[index].wasAllowed
    {
      operations[index].wasAllowed = true
      let state = machine.graph.operations[operations[index].id.handle].state
      if state == .open(.undecided) { checkAllowed(index) }
    }
  }

  /// What an operation claims, with its groups.
  func claims(of index: Int) -> [ResourceID] {
    let own = operations[index].spec.claims
    guard let group = operations[index].group else { return own }
    return own + claims(of: group).filter { !own.contains($0) }
  }

  /// A member executes only while its groups are open.
  mutating func checkGroupsOpen(of index: Int) {
    var next = operations[index].group
    while let group = next {
      let state = machine.graph.operations[operations[group].id.handle].state
      if state != .open(.undecided) {
        problems.append("\(index) goes on, and its group \(group) is \(state)")
      }
      next = operations[group].group
    }
  }

  /// A gated group ends after its members, and as they did where nothing else was decided.
  mutating func checkGatedGroup(_ index: Int, _ settlement: Settlement) {
    let members = operations.filter { $0.group == index }
    if members.contains(where: { $0.ending == nil }) {
      problems.append("\(index) ended before its members")
    }
    let isWhole = members.allSatisfy { $0.ending == .succeeded }
    if settlement.ending == .succeeded, !isWhole {
      problems.append("\(index) succeeded, and not all of its members")
    }
    if settlement.cause == .member, isWhole || settlement.ending != .failed {
      problems.append("\(index) is \(settlement.ending) by a member, and all have succeeded")
    }
  }
}

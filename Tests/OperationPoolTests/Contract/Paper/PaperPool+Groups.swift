import PoolModel

// A group is an operation whose members wait until it executes, in a queue of its own, and which
// ends when they have.

extension PaperPool {
  /// The queue that an operation is in: a queue of the user's, or its group's.
  func queue(of index: Int) -> Queue {
    guard let group = operations[index].group else { return queues[operations[index].queue] }
    return Queue(width: operations[group].width)
  }

  /// What the members of a group have for the number of their queue.
  private func innerQueue(of group: Int) -> Int { -1 - group }

  /// Makes operations members of a group, all or none.
  mutating func enrol(_ indices: [Int], in group: Int) -> Bool {
    guard Set(indices).count == indices.count, !operations[group].isFinished,
      indices.allSatisfy({ operations[$0].phase == .loose && operations[$0].group == nil })
    else { return false }
    var copy = self
    for index in indices {
      copy.operations[index].group = group
      copy.operations[index].isCancelled =
        operations[index].isCancelled || operations[group].isCancelled
    }
    copy.operations[group].members += indices
    let points = [Point.whole(group)] + indices.map { .itself($0) }
    guard !points.contains(where: { copy.waits($0, for: $0) }) else { return false }
    if operations[group].hasAdmitted { copy.admit(indices, of: group) }
    copy.settle()
    self = copy
    return true
  }

  private mutating func admit(_ members: [Int], of group: Int) {
    for index in members {
      operations[index].phase = .queued
      operations[index].queue = innerQueue(of: group)
      operations[index].place = added
      added += 1
    }
  }

  /// Does what groups do after all else, because it takes them a moment; false where there is
  /// nothing.
  ///
  /// Those that have begun let their members enter, those whose members have ended end, and those
  /// that ended without having begun take their members along. Where one ends, and another does
  /// anything at the same moment, either may be first.
  mutating func followGroups() -> Bool {
    let groups = operations.indices.filter { operations[$0].isGroup }
    let beginning = groups.filter {
      operations[$0].phase == .executing && !operations[$0].hasAdmitted
    }
    let ending = groups.filter { group in
      operations[group].phase == .executing && operations[group].hasAdmitted
        && operations[group].members.allSatisfy { operations[$0].isFinished }
    }
    let abandoned = groups.filter { operations[$0].isFinished && !isPast(.whole($0)) }
    let count = beginning.count + ending.count + abandoned.count
    if count > 1, beginning.count < count { isAmbiguous = true }
    for group in beginning {
      operations[group].hasAdmitted = true
      admit(operations[group].members, of: group)
    }
    for group in ending { operations[group].phase = .finished(outcome(of: group)) }
    for member in abandoned.flatMap({ operations[$0].members }) {
      operations[member].isCancelled = true
      operations[member].phase = .finished(.cancelled)
    }
    return count > 0
  }

  private func outcome(of group: Int) -> PoolEnding {
    let members = operations[group].members
    if members.allSatisfy({ operations[$0].phase == .finished(.succeeded) }) { return .succeeded }
    return operations[group].isCancelled ? .cancelled : .failed
  }
}

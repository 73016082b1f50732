import PoolModel

// A group is an operation whose members wait until it waits for nothing, and which ends when they
// have. It takes nothing itself.

extension PaperPool {
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
        || operations[group].verdict != nil
    }
    copy.operations[group].members += indices
    let points = [Point.whole(group)] + indices.map { .itself($0) }
    guard !points.contains(where: { copy.waits($0, for: $0) }) else { return false }
    if operations[group].phase != .loose { copy.enter(indices, operations[group].queue) }
    copy.settle()
    self = copy
    return true
  }

  /// Operations enter a queue, each group with its members behind it.
  mutating func enter(_ indices: [Int], _ queue: Int) {
    for index in indices {
      operations[index].phase = .queued
      operations[index].queue = queue
      operations[index].place = added
      if let group = operations[index].group {
        operations[index].isBounded = operations[group].isLimited
      }
      added += 1
      enter(operations[index].members, queue)
    }
  }

  /// A group has a width from now on.
  mutating func limit(_ group: Int, to width: Int) {
    operations[group].width = width
    guard !operations[group].isLimited, width < .max, !operations[group].isFinished else { return }
    operations[group].isLimited = true
    for member in operations[group].members where operations[member].isWaiting {
      operations[member].isBounded = true
    }
  }

  /// An operation that no worker has ends; a group when its members have, which are cancelled.
  mutating func leave(_ index: Int, as ending: PoolEnding) {
    guard operations[index].isGroup else {
      operations[index].phase = .finished(ending)
      return
    }
    guard operations[index].verdict == nil else { return }
    operations[index].verdict = ending
    operations[index].phase = .executing
    for member in operations[index].members where !operations[member].isFinished {
      operations[member].isCancelled = true
      if operations[member].isWaiting { operations[member].phase = .finished(.cancelled) }
    }
  }

  /// Opens groups that wait for nothing, and ends those whose members have ended; false where there
  /// are none.
  mutating func followGroups() -> Bool {
    let groups = operations.indices.filter { operations[$0].isGroup }
    let opening = groups.filter { group in
      let own = operations[group]
      return own.phase == .queued && isReady(group) && (!own.hasCondition || own.isPrepared)
    }
    for group in opening { operations[group].phase = .executing }
    let ending = groups.filter { group in
      operations[group].isOpen && operations[group].members.allSatisfy { operations[$0].isFinished }
    }
    for group in ending { operations[group].phase = .finished(outcome(of: group)) }
    return opening.count + ending.count > 0
  }

  private func outcome(of group: Int) -> PoolEnding {
    let own = operations[group]
    let succeeded = own.members.allSatisfy { operations[$0].phase == .finished(.succeeded) }
    if let verdict = own.verdict, verdict != .cancelled || !succeeded || own.begun == 0 {
      return verdict
    }
    return succeeded ? .succeeded : .failed
  }
}

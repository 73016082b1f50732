import PoolModel

// The public calls, on paper. Those that the pool refuses return false, and change nothing.

extension PaperPool {
  /// Adds operations to a queue, all or none.
  mutating func add(_ indices: [Int], to queue: Int) -> Bool {
    guard Set(indices).count == indices.count,
      indices.allSatisfy({ operations[$0].phase == .loose && operations[$0].group == nil })
    else { return false }
    var copy = self
    copy.enter(indices, queue)
    guard !indices.contains(where: { copy.waits(.itself($0), for: .itself($0)) }) else {
      return false
    }
    copy.settle()
    self = copy
    return true
  }

  mutating func addDependency(
    of index: Int,
    on other: Int,
    requiring requirement: PoolRequirement
  ) -> Bool {
    guard operations[index].acceptsDependencies,
      !operations[index].dependencies.contains(where: { $0.index == other })
    else { return true }
    let (own, end) = (Point.itself(index), end(of: other))
    guard isPast(end) || end != own && !waits(end, for: own) else { return false }
    operations[index].dependencies.append(Dependency(index: other, requirement: requirement))
    settle()
    return true
  }

  mutating func removeDependency(of index: Int, on other: Int) {
    guard operations[index].acceptsDependencies else { return }
    operations[index].dependencies.removeAll { $0.index == other }
    settle()
  }

  mutating func cancel(_ indices: [Int]) {
    let open = indices.filter { !operations[$0].isFinished }
    let indices = open + open.flatMap { operations[$0].members }
    for index in indices where !operations[index].isFinished {
      operations[index].isCancelled = true
    }
    // All at once: none is skipped because another one left first.
    for index in indices where operations[index].isWaiting || operations[index].isOpen {
      leave(index, as: .cancelled)
    }
    settle()
  }

  /// An execution has ended.
  mutating func end(_ index: Int, as ending: PoolEnding) {
    if ending == .failed, operations[index].retries > 0, !operations[index].isCancelled {
      operations[index].retries -= 1
      operations[index].phase = .queued
    } else {
      operations[index].phase = .finished(ending)
    }
    settle()
  }

  /// An operation's condition holds, or does not, or cannot be evaluated; an answer to a question
  /// that was asked again since changes nothing.
  mutating func answer(_ index: Int, _ number: Int, _ answer: PaperStage.Ending) {
    guard operations[index].phase == .preparing, operations[index].asked == number else { return }
    switch answer {
    case .success:
      operations[index].phase = .queued
      operations[index].isPrepared = true
    case .failure: leave(index, as: .failed)
    case .obedience: leave(index, as: .skipped)
    }
    settle()
  }

  /// Unfinished operations of a queue, in the order in which they were added.
  func members(of queue: Int) -> [Int] {
    operations.indices
      .filter {
        operations[$0].phase != .loose && !operations[$0].isFinished
          && operations[$0].queue == queue && operations[$0].group == nil
      }
      .sorted { operations[$0].place < operations[$1].place }
  }
}

import PoolModel

// Which waiters wait for which operations.

extension PaperPool {
  /// What can be waited for.
  enum Point: Hashable {
    /// An operation; for a group that is what it waits for before its members may begin.
    case itself(Int)
    /// A group with all of its members.
    case whole(Int)
  }

  /// What others wait for that depend on an operation.
  func end(of index: Int) -> Point {
    operations[index].isGroup ? .whole(index) : .itself(index)
  }

  /// What a point waits for, and has not come to pass.
  func awaited(by point: Point) -> [Point] {
    switch point {
    case .whole(let group):
      let parts = [group] + operations[group].members
      return parts.filter { !operations[$0].isFinished }.map { .itself($0) }
    case .itself(let index):
      let own = operations[index]
      let ends = own.dependencies.map { end(of: $0.index) } + earlier(index).map { end(of: $0) }
      let group = own.group.flatMap { operations[$0].isOpen ? nil : Point.itself($0) }
      return ends.filter { !isPast($0) } + (group.map { [$0] } ?? [])
    }
  }

  /// Operations that were added before one to its queue, where a barrier is between them or one is.
  private func earlier(_ index: Int) -> [Int] {
    let own = operations[index]
    return operations.indices.filter { other in
      let candidate = operations[other]
      return own.isWaiting && other != index && candidate.phase != .loose
        && candidate.queue == own.queue && candidate.group == own.group
        && candidate.place < own.place
        && (own.isBarrier || candidate.isBarrier)
    }
  }

  func isPast(_ point: Point) -> Bool {
    switch point {
    case .itself(let index): operations[index].isFinished
    case .whole(let group):
      ([group] + operations[group].members).allSatisfy { operations[$0].isFinished }
    }
  }

  /// Whether it could execute, as far as others let it.
  func isReady(_ index: Int) -> Bool {
    let own = operations[index]
    guard own.acceptsDependencies else { return false }
    return own.isCancelled || own.closedGates == 0 && awaited(by: .itself(index)).isEmpty
  }

  /// Whether something that it depends on has ended otherwise than it requires.
  func isDoomed(_ index: Int) -> Bool {
    operations[index].dependencies.contains { dependency in
      guard case .finished(let ending) = operations[dependency.index].phase,
        isPast(end(of: dependency.index))
      else { return false }
      return !dependency.requirement.isMet(by: ending)
    }
  }

  /// Whether one point waits for another, however indirectly.
  func waits(_ start: Point, for goal: Point) -> Bool {
    var (seen, work) = (Set([start]), [start])
    while let next = work.popLast() {
      for other in awaited(by: next) {
        if other == goal { return true }
        if seen.insert(other).inserted { work.append(other) }
      }
    }
    return false
  }
}

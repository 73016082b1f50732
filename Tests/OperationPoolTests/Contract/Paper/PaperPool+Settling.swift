import PoolModel

// What follows.

extension PaperPool {
  /// Does everything that can be done now.
  mutating func settle() {
    repeat {
      raiseDependencies()
      while let index = operations.indices.first(where: { mustLeave($0) }) {
        leave(index, as: operations[index].isCancelled ? .cancelled : .skipped)
      }
      for index in operations.indices { prepare(index) }
      if followGroups() { continue }
      while let index = next() {
        noteOvertaking(by: index)
        operations[index].phase = .executing
        operations[index].begun += 1
        if let group = operations[index].group { operations[group].begun = 1 }
      }
      return
    } while true
  }

  private func mustLeave(_ index: Int) -> Bool {
    operations[index].isWaiting && (operations[index].isCancelled || isDoomed(index))
  }

  /// Asks its condition when it waits for nothing else; what waits again will be asked again.
  private mutating func prepare(_ index: Int) {
    let own = operations[index]
    guard own.hasCondition, own.isWaiting else { return }
    if !isReady(index) {
      operations[index].phase = .queued
      operations[index].isPrepared = false
    } else if own.phase == .queued, !own.isPrepared {
      operations[index].phase = .preparing
      operations[index].asked += 1
    }
  }

  // MARK: Urgency

  private func urgency(of index: Int) -> PoolQueuePriority {
    let own = operations[index].priority
    return max(own, inherited[.itself(index)] ?? own)
  }

  /// How urgent a point makes what it waits for.
  private func loan(of point: Point) -> PoolQueuePriority? {
    guard case .itself(let index) = point, operations[index].raisesDependencies else {
      return inherited[point]
    }
    return urgency(of: index)
  }

  private mutating func raiseDependencies() {
    var isStable = false
    let points = operations.indices.flatMap { [Point.itself($0), end(of: $0)] }
    while !isStable {
      isStable = true
      for heir in points where !isPast(heir) {
        guard let level = loan(of: heir) else { continue }
        for other in awaited(by: heir) where level > inherited[other] ?? .veryLow {
          inherited[other] = level
          isStable = false
        }
      }
    }
  }

  // MARK: Whose turn it is

  /// Those whose turn it could be, in the order in which they would have it.
  private func line() -> [Int] {
    operations.indices
      .filter {
        operations[$0].phase == .queued && !operations[$0].isGroup
          && queues[operations[$0].queue].isOpen && isReady($0)
      }
      .sorted { left, right in
        guard urgency(of: left) == urgency(of: right) else {
          return urgency(of: left) > urgency(of: right)
        }
        return operations[left].place < operations[right].place
      }
  }

  /// The next that is executed, if any can be.
  private mutating func next() -> Int? {
    let line = line()
    for index in operations.indices where !line.contains(index) { operations[index].overtaken = 0 }
    let patient = line.firstIndex { operations[$0].overtaken >= 16 } ?? line.endIndex
    // One that was overtaken too often keeps what becomes free from those behind it.
    let able = line.indices.filter { place in
      let reserver = place > patient ? operations[line[patient]] : nil
      return hasUnits(line[place], beside: reserver) && hasSlots(line[place], beside: reserver)
    }
    guard let first = able.first.map({ line[$0] }) else { return nil }
    // The workers of which fleet are there first is open.
    if able.contains(where: { competes(line[$0], with: first) }) { isAmbiguous = true }
    return first
  }

  /// Whether two operations of different fleets need a unit of the same.
  private func competes(_ index: Int, with other: Int) -> Bool {
    let (one, two) = (operations[index], operations[other])
    let isForeign = (one.queue == PaperRun.foreignQueue) != (two.queue == PaperRun.foreignQueue)
    return isForeign && one.claims.contains { two.claims.contains($0) }
  }

  private func hasUnits(_ index: Int, beside reserver: Operation?) -> Bool {
    operations[index].claims.allSatisfy { claim in
      let taken = operations.count { $0.phase == .executing && $0.claims.contains(claim) }
      let kept = reserver?.claims.contains(claim) == true ? 1 : 0
      return taken + kept < units[claim] ?? 1
    } && hasWidth(index, beside: reserver)
  }

  /// Whether the width of its group lets it go on.
  private func hasWidth(_ index: Int, beside reserver: Operation?) -> Bool {
    let own = operations[index]
    guard let group = own.group, own.isBounded else { return true }
    let taken = slotsTaken(of: group)
    let kept = reserver?.group == group && reserver?.isBounded == true ? reserver?.slots ?? 0 : 0
    let width = operations[group].width
    return taken + kept == 0 ? width > 0 : taken + kept + own.slots <= width
  }

  private func slotsTaken(of group: Int) -> Int {
    operations.reduce(0) { sum, other in
      other.phase == .executing && other.group == group && other.isBounded ? sum + other.slots : sum
    }
  }

  private func hasSlots(_ index: Int, beside reserver: Operation?) -> Bool {
    let own = operations[index]
    let width = queues[own.queue].width
    let taken = operations.reduce(0) { sum, other in
      other.phase == .executing && !other.isGroup && other.queue == own.queue
        ? sum + other.slots : sum
    }
    var kept = 0
    if let reserver, reserver.slots > 1, reserver.queue == own.queue {
      // While it lacks a unit, it needs no slots.
      let lacks = reserver.claims.contains { claim in
        operations.count { $0.phase == .executing && $0.claims.contains(claim) }
          >= units[claim] ?? 1
      }
      let lacksWidth = reserver.group.map { group in
        let taken = slotsTaken(of: group)
        let width = operations[group].width
        return reserver.isBounded && (taken == 0 ? width == 0 : taken + reserver.slots > width)
      }
      kept = lacks || lacksWidth == true ? 0 : reserver.slots
    }
    return taken < width && (taken + kept == 0 || own.slots <= width - taken - kept)
  }

  /// One of the line begins: it overtakes those before it that need the same.
  private mutating func noteOvertaking(by index: Int) {
    let own = operations[index]
    let earlier = line().prefix { $0 != index }
      .filter {
        !operations[$0].claims.isEmpty || operations[$0].slots > 1 || operations[$0].isBounded
      }
    for other in earlier.prefix(16) {
      let sharesClaim = operations[other].claims.contains { own.claims.contains($0) }
      let sharesSlots = operations[other].slots > 1 && operations[other].queue == own.queue
      let sharesWidth =
        operations[other].isBounded && own.isBounded && operations[other].group == own.group
      if sharesClaim || sharesSlots || sharesWidth { operations[other].overtaken += 1 }
    }
  }
}

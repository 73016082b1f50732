import PoolModel

// What follows.

extension PaperPool {
  /// Does everything that can be done now.
  mutating func settle() {
    repeat {
      raiseDependencies()
      while let index = operations.indices.first(where: { mustLeave($0) }) {
        operations[index].phase = .finished(operations[index].isCancelled ? .cancelled : .skipped)
      }
      for index in operations.indices { prepare(index) }
      while let index = next() {
        noteOvertaking(by: index)
        operations[index].phase = .executing
        operations[index].begun += 1
      }
    } while followGroups()
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
        operations[$0].phase == .queued && queue(of: $0).isOpen && isReady($0)
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
    return line.indices.first { place in
      let reserver = place > patient ? operations[line[patient]] : nil
      return hasUnits(line[place], beside: reserver) && hasSlots(line[place], beside: reserver)
    }
    .map { line[$0] }
  }

  private func hasUnits(_ index: Int, beside reserver: Operation?) -> Bool {
    operations[index].claims.allSatisfy { claim in
      let taken = operations.count { $0.phase == .executing && $0.claims.contains(claim) }
      let kept = reserver?.claims.contains(claim) == true ? 1 : 0
      return taken + kept < units[claim] ?? 1
    }
  }

  private func hasSlots(_ index: Int, beside reserver: Operation?) -> Bool {
    let own = operations[index]
    let width = queue(of: index).width
    let taken = operations.reduce(0) { sum, other in
      other.phase == .executing && other.queue == own.queue ? sum + other.slots : sum
    }
    var kept = 0
    if let reserver, reserver.slots > 1, reserver.queue == own.queue {
      // While it lacks a unit, it needs no slots.
      let lacks = reserver.claims.contains { claim in
        operations.count { $0.phase == .executing && $0.claims.contains(claim) }
          >= units[claim] ?? 1
      }
      kept = lacks ? 0 : reserver.slots
    }
    return taken < width && (taken + kept == 0 || own.slots <= width - taken - kept)
  }

  /// One of the line begins: it overtakes those before it that need the same.
  private mutating func noteOvertaking(by index: Int) {
    let own = operations[index]
    let earlier = line().prefix { $0 != index }
      .filter { !operations[$0].claims.isEmpty || operations[$0].slots > 1 }
    for other in earlier.prefix(16) {
      let sharesClaim = operations[other].claims.contains { own.claims.contains($0) }
      let sharesSlots = operations[other].slots > 1 && operations[other].queue == own.queue
      if sharesClaim || sharesSlots { operations[other].overtaken += 1 }
    }
  }
}

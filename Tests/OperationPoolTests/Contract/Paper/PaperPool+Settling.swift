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
  private func next() -> Int? {
    let line = line()
    // One that needs more of the width than is free holds back those behind it.
    var full = Set<Int>()
    for index in line {
      let own = operations[index]
      guard mayTakeClaims(index, line), !full.contains(own.queue) else { continue }
      let width = queue(of: index).width
      let taken = operations.reduce(0) { sum, other in
        other.phase == .executing && other.queue == own.queue ? sum + other.slots : sum
      }
      guard taken < width else { continue }
      if taken == 0 || own.slots <= width - taken { return index }
      full.insert(own.queue)
    }
    return nil
  }

  /// Whether it is first in the line for each of its claims, and each has a free unit.
  private func mayTakeClaims(_ index: Int, _ line: [Int]) -> Bool {
    operations[index].claims.allSatisfy { claim in
      let taken = operations.count { $0.phase == .executing && $0.claims.contains(claim) }
      return taken < units[claim] ?? 1
        && line.first { operations[$0].claims.contains(claim) } == index
    }
  }
}

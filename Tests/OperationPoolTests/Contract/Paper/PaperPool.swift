import PoolModel

/// What a pool should do, worked out on paper: plain records, and the rules of the documentation
/// applied to all of them after every call.
struct PaperPool {
  enum Phase: Hashable {
    /// In no queue.
    case loose
    case queued
    case executing
    case finished(PoolEnding)
  }

  struct Dependency {
    var index: Int
    var requirement: PoolRequirement
  }

  struct Operation {
    var priority = PoolQueuePriority.normal
    /// As urgent as what waits for it, where that lends its priority.
    var lent: PoolQueuePriority?
    var lendsPriority = false
    var slots = 1
    /// Names of what it takes a unit of.
    var claims: [String] = []
    var isBarrier = false
    var retries = 0
    var dependencies: [Dependency] = []
    var closedGates = 0
    var isCancelled = false
    var phase = Phase.loose
    var queue = 0
    /// Its place in the order in which operations were added.
    var place = 0
    /// Executions that have begun.
    var begun = 0
    /// Nobody can add it any more.
    var isGone = false

    var urgency: PoolQueuePriority { max(priority, lent ?? priority) }

    var isFinished: Bool {
      if case .finished = phase { return true }
      return false
    }

    /// Whether it still can be told to wait for something.
    var acceptsDependencies: Bool { phase == .loose || phase == .queued }
  }

  struct Queue {
    var width = Int.max
    var isSuspended = false

    var isOpen: Bool { !isSuspended && width > 0 }
  }

  var operations: [Operation] = []
  var queues: [Queue] = []
  /// Units of each claim; one where nothing is said.
  var units: [String: Int] = [:]
  var added = 0
}

// MARK: - Who waits for whom

extension PaperPool {
  /// Unfinished operations that one waits for.
  func awaited(by index: Int) -> [Int] {
    let own = operations[index]
    let named = own.dependencies.map(\.index)
    let earlier = operations.indices.filter { other in
      guard own.phase == .queued, other != index else { return false }
      let candidate = operations[other]
      return candidate.phase != .loose && candidate.queue == own.queue
        && candidate.place < own.place && (own.isBarrier || candidate.isBarrier)
    }
    return (named + earlier).filter { !operations[$0].isFinished }
  }

  /// Whether it could execute, as far as others let it.
  func isReady(_ index: Int) -> Bool {
    let own = operations[index]
    guard own.acceptsDependencies else { return false }
    return own.isCancelled || own.closedGates == 0 && awaited(by: index).isEmpty
  }

  /// Whether something that it depends on has ended otherwise than it requires.
  func isDoomed(_ index: Int) -> Bool {
    operations[index].dependencies.contains { dependency in
      guard case .finished(let ending) = operations[dependency.index].phase else { return false }
      return !dependency.requirement.isMet(by: ending)
    }
  }

  /// Whether one waits for another, however indirectly.
  func waits(_ start: Int, for goal: Int) -> Bool {
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

// MARK: - What follows

extension PaperPool {
  /// Does everything that can be done now.
  mutating func settle() {
    lend()
    while let index = operations.indices.first(where: { mustLeave($0) }) {
      operations[index].phase = .finished(operations[index].isCancelled ? .cancelled : .skipped)
    }
    while let index = next() {
      operations[index].phase = .executing
      operations[index].begun += 1
    }
  }

  private func mustLeave(_ index: Int) -> Bool {
    operations[index].phase == .queued && (operations[index].isCancelled || isDoomed(index))
  }

  private mutating func lend() {
    var isStable = false
    while !isStable {
      isStable = true
      for lender in operations.indices where !operations[lender].isFinished {
        let own = operations[lender]
        guard let level = own.lendsPriority ? own.urgency : own.lent else { continue }
        for other in awaited(by: lender) where level > operations[other].lent ?? .veryLow {
          operations[other].lent = level
          isStable = false
        }
      }
    }
  }

  /// Those whose turn it could be, in the order in which they would have it.
  private func line() -> [Int] {
    operations.indices
      .filter {
        operations[$0].phase == .queued && queues[operations[$0].queue].isOpen && isReady($0)
      }
      .sorted { left, right in
        let (left, right) = (operations[left], operations[right])
        guard left.urgency == right.urgency else { return left.urgency > right.urgency }
        return left.place < right.place
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
      let width = queues[own.queue].width
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

import PoolModel

extension PoolMachine {
  /// What is wrong with the machine as a whole, in words; empty if nothing is; O(everything).
  ///
  /// For tests, which ask after each event.
  package func brokenInvariants() -> [String] {
    var demand = Demands()
    demand(aftermath.isEmpty, "no event leaves settlements half told")
    let tally = tally()
    demand(tally.inQueue == unsettledCount, "the count of unsettled operations is right")
    demand(tally.ready == readyCount, "the count of ready operations is right")
    demand(tally.executing == executingCount, "the count of executing operations is right")
    demand(
      lanes.reduce(0) { $0 + $1.ready.count } == readyCount,
      "every ready operation is in its lane"
    )
    demand(
      workers.living.reduce(0) { $0 + workers[$1].line.count } == assignedCount,
      "the count of assigned operations is right"
    )
    demand(assignedCount <= width, "no more is dispatched than the width allows")
    demand(order.count == unsettledCount, "positions belong to what is in the queue")
    demand(tally.unmet == graph.count, "every edge is a dependency that somebody waits for")
    for slot in 0..<operations.slotCount { demandSound(slot, &demand) }
    for slot in workers.living { demandSound(workers[slot], at: slot, &demand) }
    for recipe in recipes { demandSound(recipe, &demand) }
    return demand.broken
  }

  /// How many operations are in which state; one pass, because tests ask very often.
  private func tally() -> (inQueue: Int, ready: Int, executing: Int, unmet: Int) {
    var tally = (inQueue: 0, ready: 0, executing: 0, unmet: 0)
    for slot in 0..<operations.slotCount {
      tally.unmet += Int(operations[slot].unmet)
      if operations[slot].isInQueue { tally.inQueue += 1 }
      switch operations[slot].state {
      case .ready: tally.ready += 1
      case .executing: tally.executing += 1
      case .free, .created, .doomed, .waiting, .held, .forgotten, .settled: break
      }
    }
    return tally
  }

  private func demandSound(_ slot: Int, _ demand: inout Demands) {
    let life = operations[slot]
    if life.isInQueue {
      demand(order.occupant(Int(life.position)) == slot, "\(slot) has its position")
    }
    switch life.state {
    case .ready:
      demand(life.unmet == 0, "\(slot) is ready with no unmet dependency")
      let lane = lanes[Int(life.kind.rawValue)]
      demand(lane.ready.contains(life.key), "\(slot) is in the ready queue")
      demand(lane.service == .possible, "\(slot) waits for a kind that somebody may serve")
    case .waiting:
      demand(life.unmet > 0, "\(slot) waits for something")
    case .held(let worker, let number), .executing(let worker, let number):
      demand(life.unmet == 0, "\(slot) was dispatched after its dependencies")
      let line = workers.slot(of: worker).flatMap { workers[$0].line }
      demand(line?.contains(number) ?? false, "\(slot) is in its worker's line")
    case .free, .created, .doomed, .forgotten, .settled:
      break
    }
  }

  private func demandSound(_ worker: WorkerLife, at slot: Int, _ demand: inout Demands) {
    demand(workers.slot(of: worker.id) == slot, "worker \(worker.id) is where it is said to be")
    let isIdleListed = recipes[Int(worker.recipe.rawValue)].idle.contains(slot)
    demand(isIdleListed == worker.isIdle, "worker \(worker.id) is idle if and only if listed so")
    demand(
      worker.line.count <= 1 || worker.abilities.holds,
      "worker \(worker.id) holds only what it can hold"
    )
    demand(
      worker.line.count <= CreditPolicy.heldCountLimit + 1,
      "worker \(worker.id) stays within its credit"
    )
    demand(!worker.isExecuting || !worker.line.isEmpty, "worker \(worker.id) executes something")
    let listings = recipes[Int(worker.recipe.rawValue)].listed.count { $0 == slot }
    demand(listings == (worker.isListed ? 1 : 0), "worker \(worker.id) is listed once or not")
    let due = deadline(of: slot) ?? .distantFuture
    demand(
      due == .distantFuture || alarms.next.map { $0 <= due } ?? false,
      "worker \(worker.id) is looked at when something is due for it"
    )
  }

  private func demandSound(_ recipe: RecipeLife, _ demand: inout Demands) {
    demand(recipe.live <= recipe.spec.count, "no recipe has more workers than it may")
    demand(recipe.listed.allSatisfy { workers.isLiving($0) }, "only living workers are listed")
    guard recipes.count == 1 else { return }
    let living = workers.living.map { workers[$0] }
    demand(living.count == recipe.live, "the count of living workers is right")
    let starting = living.count { $0.state == .starting }
    demand(starting == recipe.starting, "the count of starting workers is right")
  }
}

/// Collects the invariants that do not hold.
private struct Demands {
  var broken: [String] = []

  mutating func callAsFunction(_ holds: Bool, _ invariant: @autoclosure () -> String) {
    if !holds { broken.append(invariant()) }
  }
}

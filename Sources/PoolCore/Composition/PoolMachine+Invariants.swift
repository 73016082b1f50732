extension PoolMachine {
  /// What is wrong with the machine as a whole, in words; empty if nothing is; O(everything).
  ///
  /// For tests, which ask after each event.
  package func brokenInvariants() -> [String] {
    var demand = InvariantCheck()
    graph.demandSound(&demand)
    dispatcher.demandSound(graph.operations, &demand)
    supervisor.demandSound(&demand)
    // What two machines know must be the same.
    demand(dispatcher.positionCount == graph.unsettledCount, "positions are those in queues")
    for worker in supervisor.living {
      supervisor.demandSame(worker, dispatcher.assignments(of: worker), graph.operations, &demand)
    }
    dispatcher.demandBroken({ supervisor.isBroken($0) }, &demand)
    return demand.broken
  }
}

import PoolModel

extension PoolMachine {
  /// What is wrong with the machine as a whole, in words; empty if nothing is; O(everything).
  ///
  /// For tests, which ask after each event.
  package func brokenInvariants() -> [String] {
    var demand = Demands()
    graph.demandSound(&demand)
    dispatcher.demandSound(graph.operations, &demand)
    supervisor.demandSound(&demand)
    demandSoundBorders(&demand)
    return demand.broken + graph.edges.brokenInvariants()
  }

  /// What two machines know must be the same.
  private func demandSoundBorders(_ demand: inout Demands) {
    demand(dispatcher.order.count == unsettledCount, "positions belong to what is in a queue")
    for worker in supervisor.living {
      let id = supervisor.id(of: worker)
      demand(dispatcher.lines[worker].id == id, "worker \(id) has its own line")
      demand(
        dispatcher.lines[worker].isOpen == (supervisor.state(of: worker) == .serving),
        "worker \(id) takes operations while it serves"
      )
      supervisor.demandWatched(worker, front(of: worker), &demand)
    }
    for handle in graph.operations.handles {
      guard let dispatch = graph.operations[handle].state.dispatch else { continue }
      let worker = supervisor.worker(dispatch.worker)
      let held = worker.flatMap { dispatcher.operation(of: dispatch.number, on: $0) }
      demand(held == handle, "\(handle) is in its worker's line")
    }
    for configuration in dispatcher.configurations.indices {
      let isBroken = dispatcher.configurations[configuration].isBroken
      demand(
        !isBroken || supervisor.isBroken(configuration),
        "\(configuration) is not given up by one machine alone"
      )
    }
  }
}

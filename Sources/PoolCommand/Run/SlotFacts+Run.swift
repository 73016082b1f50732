import OperationPool
import PoolCore
import PoolInputs
import PoolModel
import PoolReports

extension SlotFacts {
  /// How the slots of a run are used now, and what holds back what is ready.
  ///
  /// The resources of a run's engine are those of its workload, in the same order.
  init(
    of workload: any Workload,
    _ control: RunControl,
    _ executing: [Int: RunProgress.Execution],
    _ places: [PlaceState],
    _ gate: StartGate?
  ) {
    let standing = control.engine.standing(of: control.queue)
    let executingSlots = executing.keys.reduce(0) { $0 + workload.slots(of: $1) }
    self.init(slots: standing.slots, taken: max(standing.taken, executingSlots))
    self.executing = executingSlots
    // Workers may have more than they execute.
    ready = standing.ready + max(standing.assigned - executingSlots, 0)
    wide = standing.wide
    idleWorkers = standing.idleWorkers
    (pause, hold) = (control.pause, gate?.hold)
    absence = places.lazy.compactMap(\.idleReason).first
    lacks = standing.lacks.compactMap { lack in
      let place = Int(lack.resource.rawValue)
      guard place < workload.resourceCount else { return nil }
      let holders = executing.keys.filter { workload.claims(of: $0).contains(place) }.sorted()
      return SlotFacts.Lack(
        workload.resource(place).name,
        units: lack.units,
        waiting: lack.waiting,
        holders: holders.map(workload.label(of:))
      )
    }
  }
}

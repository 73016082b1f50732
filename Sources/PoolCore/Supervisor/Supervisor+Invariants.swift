import PoolModel

extension Supervisor {
  /// Records broken invariants of lives; O(everything), for tests.
  func demandSound(_ demand: inout InvariantCheck) {
    demand(consequences.isEmpty, "no event leaves a closed worker untold")
    let lives = workers.living.map { workers[$0] }
    for configuration in configurations.indices {
      let life = configurations[configuration]
      let own = lives.filter { $0.configuration == configuration }
      let lasting = own.count { $0.isStarting || $0.isServing && $0.quota > 0 }
      demand(lasting <= life.limit, "no more workers than there may be")
      demand(own.count == life.live, "the count of living workers is right")
      let starting = own.count { $0.isStarting }
      demand(starting == life.starting, "the count of starting workers is right")
    }
    for worker in workers.living {
      let id = workers[worker].id
      demand(workers.handle(of: id) == worker, "worker \(id) is where it is said to be")
    }
  }

  /// Records a worker whose head differs from the dispatcher and the records, or whose timer would
  /// fire too late.
  func demandSame(
    _ worker: WorkerHandle,
    _ entry: WorkerAssignments,
    _ records: borrowing OperationTable,
    _ demand: inout InvariantCheck
  ) {
    let life = workers[worker]
    demand(entry.id == life.id, "worker \(life.id) has its own assignments")
    let takesMore = life.isServing && life.quota > 0
    demand(entry.isOpen == takesMore, "worker \(life.id) takes operations while it serves")
    demand(
      life.head?.reference == entry.queue.first?.reference,
      "worker \(life.id) is at the first of its queue"
    )
    if let head = life.head {
      let handle = head.reference.operation.handle
      demand(
        head.isExecuting == records[handle].state.isExecuting,
        "worker \(life.id) executes what its operation says"
      )
    }
    let due = deadline(of: worker) ?? .distantFuture
    demand(
      due == .distantFuture || timers.next.map { $0 <= due } ?? false,
      "worker \(life.id) is looked at when something is due for it"
    )
  }
}

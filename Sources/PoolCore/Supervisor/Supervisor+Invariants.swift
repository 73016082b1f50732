import PoolModel

extension Supervisor {
  /// Notes what is wrong with lives; O(everything), for tests.
  func demandSound(_ demand: inout Demands) {
    demand(closed.isEmpty, "no event leaves a closed worker untold")
    let lives = workers.living.map { workers[$0] }
    for configuration in configurations.indices {
      let life = configurations[configuration]
      demand(
        life.live <= life.spec.count || life.spec.count == 0,
        "no more workers than there may be"
      )
      let own = lives.filter { $0.configuration == configuration }
      demand(own.count == life.live, "the count of living workers is right")
      let starting = own.count { $0.state == .starting }
      demand(starting == life.starting, "the count of starting workers is right")
    }
    for worker in workers.living {
      let id = workers[worker].id
      demand(workers.slot(of: id) == worker, "worker \(id) is where it is said to be")
    }
  }

  /// Notes whether a worker, which is at this, will be looked at in time.
  func demandWatched(_ worker: WorkerHandle, _ front: WorkFront?, _ demand: inout Demands) {
    let due = deadline(of: worker, front) ?? .distantFuture
    demand(
      due == .distantFuture || alarms.next.map { $0 <= due } ?? false,
      "worker \(workers[worker].id) is looked at when something is due for it"
    )
  }
}

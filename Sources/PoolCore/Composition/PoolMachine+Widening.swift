package import PoolModel

// Worker configurations get more workers, or fewer.

extension PoolMachine {
  /// Lets a worker configuration have at least that many workers; those that it has stay.
  package mutating func widen(_ configuration: ConfigurationID, to count: Int) {
    widen(configuration, by: count - supervisor.declaredCount(of: configuration))
  }

  /// Lets a worker configuration have so many workers more; ignores a number below 1.
  package mutating func widen(_ configuration: ConfigurationID, by count: Int) {
    guard count > 0 else { return }
    supervisor.widen(configuration, by: count)
    fit(configuration)
  }

  /// Lets a worker configuration have that many workers from now on: fewer than it has, of which
  /// the others end after the operations that they execute; or more; with nil as many as there
  /// could be.
  ///
  /// With 0 it is withdrawn: operations that no other configuration serves fail once its last
  /// worker is gone. Workers that are behind a relay are not more before it has greeted.
  package mutating func limitWorkers(
    of configuration: ConfigurationID,
    to count: Int?,
    at now: Instant
  ) {
    context.now = now
    for worker in supervisor.limit(configuration, to: count, &context) {
      dispatcher.recallAll(from: worker, &context)
    }
    fit(configuration)
    reviewService(of: supervisor.fleet(of: configuration))
    finish()
  }

  /// Tells the dispatcher how many workers a configuration may have, and has.
  mutating func fit(_ configuration: ConfigurationID) {
    let (limit, room) = supervisor.room(of: configuration)
    dispatcher.fit(configuration, limit: limit, room: room)
  }

  /// Number of operations that workers have and have not begun; O(workers).
  package var unstartedCount: Int { dispatcher.assignedCount - graph.executingCount }
}

extension Dispatcher {
  /// Number of operations that workers have; O(workers).
  fileprivate var assignedCount: Int { assignments.reduce(0) { $0 + $1.queue.count } }

  /// Changes how many workers a configuration may have, and how many slots the fleet has by it:
  /// more while workers live that are too many, because these take slots until they are gone.
  fileprivate mutating func fit(_ configuration: ConfigurationID, limit: Int, room: Int) {
    guard
      configurations[configuration].spec.count != limit
        || configurations[configuration].room != room
    else { return }
    configurations[configuration].spec.count = limit
    makeRoom(for: room, of: configuration)
    markDirty(configurations[configuration].fleet)
  }

  /// Gives the fleet so many slots by a configuration.
  mutating func makeRoom(for count: Int, of configuration: ConfigurationID) {
    let change = count - configurations[configuration].room
    configurations[configuration].room = count
    let fleet = configurations[configuration].fleet
    fleets[fleet].workerLimit += change
    if !configurations[configuration].spec.executesBlocks { fleets[fleet].slots += change }
  }

  /// Recalls everything behind the first operation of a worker that gets nothing more.
  fileprivate mutating func recallAll(from worker: WorkerHandle, _ context: inout EventContext) {
    recall(from: worker, &context)
    supplied.append(worker)
  }
}

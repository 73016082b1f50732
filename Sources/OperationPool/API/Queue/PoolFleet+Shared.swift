import OperationWorker
import PoolSystem
import Synchronization

extension PoolFleet {
  private struct WeakFleet {
    weak var fleet: PoolFleet?
  }

  private static let current = Mutex(WeakFleet())

  /// The fleet of operations that are started without a queue: it executes blocks in this process,
  /// commands on `opool-worker` if that is found, and all other kinds on the running program.
  ///
  /// When no operation uses it any longer, its processes and its thread end; it is then created
  /// again when needed.
  ///
  /// Throws ``PoolError`` if the system refuses the threads or descriptors that it needs, and in a
  /// process that was started as a worker and does not call `PoolWorker.serveIfSpawned` first of
  /// all.
  public static var shared: PoolFleet {
    get throws(PoolError) {
      if let fleet = current.withLock({ $0.fleet }) { return fleet }
      var workers = [PoolWorkerConfiguration.thisExecutable().asReserve]
      if let standard = try? PoolWorkerConfiguration.standard() { workers.append(standard) }
      // Created outside the lock; if two threads do so at once, both fleets are used.
      let fleet = try PoolFleet(workers)
      current.withLock { $0.fleet = fleet }
      return fleet
    }
  }

  /// Refuses to start the running program as a worker if it was itself started as one but does not
  /// serve: each worker would start the next, forever.
  static func demandServing(_ workers: [PoolWorkerConfiguration]) throws(PoolError) {
    guard workers.contains(where: \.areThisExecutable),
      ProcessEnvironment.current.value(of: WorkerVariable.name) == Array("1".utf8)
    else { return }
    throw PoolError(
      .noWorker,
      "this process was started as a worker: it must call 'PoolWorker.serveIfSpawned' first of all"
    )
  }

  /// Refuses a configuration without workers, whose operations would wait forever.
  static func demandWorkers(_ workers: [PoolWorkerConfiguration]) throws(PoolError) {
    guard let count = workers.map(\.count).first(where: { $0 < 1 }) else { return }
    throw PoolError(
      .noWorker,
      "'count: \(count)' is no number of workers: give 1 or more, or leave it out for one per processor"
    )
  }
}

extension PoolWorkerConfiguration {
  /// Whether they execute the running program.
  var areThisExecutable: Bool {
    (launcher as? ExecutableLauncher)?.isThisExecutable == true
  }
}

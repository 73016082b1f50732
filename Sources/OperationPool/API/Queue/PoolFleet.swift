import PoolCore
import PoolModel
import Synchronization

/// A set of workers, which several queues may share.
///
/// ```swift
/// let fleet = try PoolFleet(.thisExecutable(count: 4))
/// let urgent = PoolOperationQueue(fleet: fleet)
/// let lazy = PoolOperationQueue(fleet: fleet)
/// ```
///
/// Workers are started when operations need them. They end when the fleet has no reference left,
/// and all operations of its queues have finished. Every fleet also executes blocks, in this
/// process. ``events`` tells when workers cannot be kept alive.
public final class PoolFleet: Sendable {
  let id: FleetID
  /// The queue of operations that are started without one, while there are any.
  let loose = Mutex(Loose())

  struct Loose {
    weak var queue: QueueCore?
  }

  /// Whether it was closed by ``PoolOperationQueue/shutdown(_:)``, and its queues.
  let life = Mutex(Life())

  struct Life {
    /// Its queues.
    var queues: [QueueID: Queue] = [:]
    /// A queue that prevents the reuse of a closed fleet's number.
    var keeper: QueueID?
    var isClosed = false

    /// A queue, which may be released at any moment.
    ///
    /// It has no weak reference to the core: each operation counts references to that, which would
    /// cost more from then on.
    struct Queue {
      /// The user's object.
      weak var face: PoolOperationQueue?
    }
  }

  /// Makes a fleet of these workers; without any, it executes only blocks.
  ///
  /// Throws ``PoolError`` if a count is below 1, or if the system refuses the threads or
  /// descriptors that it needs.
  public init(_ workers: [PoolWorkerConfiguration]) throws(PoolError) {
    try Self.demandWorkers(workers)
    try Self.demandServing(workers)
    let registry = OperationRegistry.process
    id = registry.engine.addFleet(workers + [.blocks])
    registry.fleetStates.begin(id, workers.map(\.count))
    do {
      try registry.engine.run(for: registry)
    } catch {
      // This object is released, which closes the fleet.
      throw PoolError(.system, "a fleet of workers cannot be made: \(error)")
    }
  }

  /// Makes a fleet of these workers.
  public convenience init(_ workers: PoolWorkerConfiguration...) throws(PoolError) {
    try self.init(workers)
  }

  /// Adds workers to the fleet while it lives; returns the index of their configuration.
  ///
  /// ```swift
  /// let box = try fleet.add(.ssh("build@box", slots: 8))
  /// // …
  /// fleet.limitWorkers(ofConfiguration: box, to: 0)
  /// ```
  ///
  /// They take what is ready from then on. What had failed because no worker served its kind stays
  /// so. The fleet's ``events`` and ``state`` name them by that index.
  ///
  /// - Parameter workers: How they are started, and how many.
  /// - Returns: The index of the configuration: the number of those before it.
  /// - Throws: ``PoolError`` if the count is below 1, or the fleet was closed.
  @discardableResult
  public func add(_ workers: PoolWorkerConfiguration) throws(PoolError) -> Int {
    try Self.demandWorkers([workers])
    try Self.demandServing([workers])
    let registry = OperationRegistry.process
    guard let index = registry.engine.addWorkers(workers, to: id) else {
      throw PoolError(.noWorker, "workers cannot be added to a fleet that was closed")
    }
    registry.fleetStates.add(id, workers.count)
    return index
  }

  /// Lets a worker configuration have at most so many workers from now on, or 0 to withdraw it.
  ///
  /// Workers that are too many get no more operations, and end after what they execute. A
  /// configuration that was withdrawn comes back with a number above 0. Operations that no other
  /// workers serve fail when the last worker of a withdrawn configuration has ended.
  ///
  /// - Parameters:
  ///   - index: The index of the configuration in ``PoolFleetState/configurations``.
  ///   - count: Maximum number of workers alive at once; workers that are ending come on top.
  /// - Precondition: The fleet has a configuration with that index, and the count is not negative.
  public func limitWorkers(ofConfiguration index: Int, to count: Int) {
    precondition(count >= 0, "a number of workers is not negative")
    let registry = OperationRegistry.process
    precondition(
      registry.fleetStates.configurations(of: id).contains(index),
      "the fleet has no worker configuration \(index)"
    )
    registry.engine.limitWorkers(ofConfigurationAt: index, of: id, to: count)
  }

  deinit {
    OperationRegistry.process.fleetObservers.end(id)
    OperationRegistry.process.fleetStates.end(id)
    let engine = OperationRegistry.process.engine
    // The number of a closed fleet stays its own until its keeper is dropped.
    guard let keeper = life.withLock({ $0.keeper }) else { return engine.closeFleet(id) }
    engine.dropQueue(keeper)
  }
}

import PoolCore
import PoolModel
import PoolSystem

/// A queue of operations that are executed in worker processes; Foundation's `OperationQueue`.
///
/// Operations that are ready are executed by priority, then in the order in which they were
/// added. The queue keeps its operations until they finish: dropped, it finishes its work, even
/// if it was suspended, and then its workers end. It may be used from any thread.
public final class PoolOperationQueue: Sendable {
  private let client: QueueClient

  /// The default width: as many operations at once as there are workers.
  public static let defaultMaxConcurrentOperationCount = Int.max

  /// Makes a queue over workers, which are started when there is work for them.
  ///
  /// Throws ``PoolError`` where the system refuses the threads or descriptors that it takes.
  public init(workers: PoolWorkers...) throws(PoolError) {
    precondition(!workers.isEmpty, "a queue has workers")
    client = try Self.start(workers)
  }

  private static func start(_ workers: [PoolWorkers]) throws(PoolError) -> QueueClient {
    do {
      var policy = PoolPolicy()
      policy.startsOnDemand = true
      let coordinator = try Coordinator(policy: policy)
      let client = QueueClient(coordinator)
      for workers in workers + [.inProcess] { _ = coordinator.addWorkers(workers) }
      try coordinator.start(for: client)
      return client
    } catch {
      throw PoolError(.system, "a queue cannot be made: \(error)")
    }
  }

  deinit {
    client.drop()
  }
}

// MARK: - Adding

extension PoolOperationQueue {
  /// Adds an operation; throws where it was added to a queue before, cannot be encoded, or waits
  /// for itself in a circle.
  public func addOperation(_ operation: PoolOperation) throws(PoolError) {
    try addOperations([operation])
  }

  /// Adds operations, all or none: priority order holds over the whole batch.
  ///
  /// Throws as ``addOperation(_:)`` does; then nothing was added.
  public func addOperations(
    _ operations: [PoolOperation],
    waitUntilFinished: Bool = false
  ) throws(PoolError) {
    let payloads = try encode(operations)
    try client.coordinator.update { shared, now throws(PoolError) in
      let dependents = try claim(operations)
      shared.machine.reserve(operations.count)
      let ids = operations.map { identify($0, &shared) }
      for operation in dependents { link(operation, &shared, now) }
      client.keep(zip(operations, payloads).map(QueueClient.KeptOperation.init), ids)
      for (operation, id) in zip(operations, ids) {
        shared.machine.enqueue(id, at: now)
        if operation.isCancelled { shared.machine.cancel(id, at: now) }
      }
    }
    guard waitUntilFinished else { return }
    for operation in operations { operation.waitUntilFinished() }
  }

  private func encode(_ operations: [PoolOperation]) throws(PoolError) -> [[UInt8]] {
    var payloads: [[UInt8]] = []
    payloads.reserveCapacity(operations.count)
    for operation in operations { payloads.append(try operation.encodedPayload()) }
    return payloads
  }

  /// Marks all as added, or none, with the reason; returns those that wait for others.
  private func claim(_ operations: [PoolOperation]) throws(PoolError) -> [PoolOperation] {
    var claimed = 0
    var dependents: [PoolOperation] = []
    do throws(PoolError) {
      for operation in operations {
        if try claim(operation) { dependents.append(operation) }
        claimed += 1
      }
      for operation in dependents { try demandOwnDependencies(of: operation) }
      try demandNoCircle(dependents)
    } catch {
      for operation in operations[..<claimed] { operation.unclaim() }
      throw error
    }
    return dependents
  }

  /// Marks one as added; whether it waits for others.
  private func claim(_ operation: PoolOperation) throws(PoolError) -> Bool {
    switch operation.claim(for: client) {
    case .granted(let hasDependencies): return hasDependencies
    case .ofOtherQueue: throw foreign(operation)
    case .alreadyAdded:
      throw PoolError(.alreadyEnqueued, "'\(operation.name)' was added to a queue before")
    }
  }

  private func demandOwnDependencies(of operation: PoolOperation) throws(PoolError) {
    for dependency in operation.requirements {
      guard let owner = dependency.operation.owner, owner !== client else { continue }
      throw foreign(dependency.operation)
    }
  }

  private func foreign(_ operation: PoolOperation) -> PoolError {
    PoolError(.otherQueue, "'\(operation.name)' belongs to another queue")
  }

  private func demandNoCircle(_ operations: [PoolOperation]) throws(PoolError) {
    var search = CircleSearch()
    guard let circle = search.find(from: operations), let first = circle.first else { return }
    let names = (circle + [first]).map { "'\($0.name)'" }
    throw PoolError(.cycle, "operations wait for each other: \(names.joined(separator: " → "))")
  }

  private func link(
    _ operation: PoolOperation,
    _ shared: inout Coordinator.Shared,
    _ now: Instant
  ) {
    let id = identify(operation, &shared)
    for dependency in operation.requirements {
      shared.machine.addDependency(
        of: id,
        on: identify(dependency.operation, &shared),
        requiring: dependency.requirement,
        at: now
      )
    }
  }

  /// The number under which the machine knows the operation.
  private func identify(
    _ operation: PoolOperation,
    _ shared: inout Coordinator.Shared
  ) -> OperationID {
    let kind = shared.kind(operation.kind)
    let home = operation.home {
      let spec = OperationSpec(
        kind: kind,
        priority: operation.queuePriority,
        timeout: operation.timeout.map { Int64.seconds(max($0, 0)) },
        retries: operation.retries
      )
      return PoolOperation.Home(queue: client, id: shared.machine.create(spec))
    }
    return home.id
  }
}

// MARK: - The whole queue

extension PoolOperationQueue {
  /// Operations that were added and have not finished; O(1).
  public var operationCount: Int { client.count }

  /// Those operations.
  public var operations: [PoolOperation] { client.operations }

  /// How many operations workers may have at once; held ones count.
  public var maxConcurrentOperationCount: Int {
    get { client.coordinator.ask { $0.width } }
    set { client.coordinator.tell { machine, _ in machine.width = max(newValue, 0) } }
  }

  /// While true, nothing more is handed to workers.
  public var isSuspended: Bool {
    get { client.coordinator.ask { $0.isSuspended } }
    set { client.coordinator.tell { machine, _ in machine.isSuspended = newValue } }
  }

  /// Cancels all operations that were added and have not finished.
  ///
  /// All at once: none is skipped because another one was cancelled first.
  public func cancelAllOperations() {
    // Returned, so that none is let go for the last time under the lock, which its end takes too.
    _ = client.coordinator.update { shared, now in
      let operations = client.operations
      for operation in operations { operation.markCancelled() }
      shared.machine.cancelAll(at: now)
      return operations
    }
  }

  /// Waits until nothing is left in the queue; blocks the thread.
  public func waitUntilAllOperationsAreFinished() {
    client.waiters.wait(while: { _ in client.count > 0 }, then: { _ in })
  }
}

import PoolCore
public import PoolModel
import Synchronization

extension PoolOperation {
  /// The dependencies in the order in which they were added; finished ones stay.
  public var dependencies: [PoolOperation] {
    life.withLock { $0.dependencies.operations }
  }

  /// Makes this operation wait for another one, which may be in any queue or in none.
  ///
  /// As in Foundation, it does not matter how the other ends, unless a requirement is given: then
  /// this operation is skipped if the other ends differently. A second call for the same operation
  /// has no effect, nor has a call once this operation has been handed to a worker. O(1).
  ///
  /// Throws ``PoolError`` if operations would wait for each other in a cycle, which the error
  /// names.
  public func addDependency(
    _ operation: PoolOperation,
    requiring requirement: PoolRequirement = .finished
  ) throws(PoolError) {
    if operation.isRegistered, noteDependency(operation, requirement) { return }
    try OperationRegistry.process.update(ifWanted: true) { transaction throws(PoolError) in
      guard !life.withLock({ $0.dependencies.contains(operation) }) else { return }
      let (own, other) = (register(&transaction), operation.register(&transaction))
      guard transaction.acceptsDependencies(own) else { return }
      let change = GraphChange.addDependency(of: own, on: other, requiring: requirement)
      if let cycle = transaction.change(change) {
        throw .cycle(cycle, from: [self, operation])
      }
      changeList { $0.append(operation, requirement) }
    }
  }

  /// Notes a dependency on an operation that the machine knows, without telling the machine yet;
  /// returns whether it did.
  ///
  /// That is possible while the machine does not know this operation: then no known operation waits
  /// for it, so no cycle can close. The machine learns all noted dependencies with the operation
  /// itself, mostly under a lock that is taken for that anyway; for an operation that raises its
  /// dependencies, at once.
  private func noteDependency(
    _ operation: PoolOperation,
    _ requirement: PoolRequirement
  ) -> Bool {
    guard special?.options.raisesDependencies != true else { return false }
    return life.withLock { life in
      guard life.id == nil, life.dependencies.count < Self.mostDeferred else { return false }
      if !life.dependencies.contains(operation) {
        life.dependencies.append(operation, requirement)
      }
      return true
    }
  }

  /// With more, the lock would be held too long when an operation, or a batch, is registered.
  private static let mostDeferred = 64

  /// Tells the machine the dependencies of an operation that it has just learnt; returns the
  /// operation's identifier.
  ///
  /// Not under the life's lock: no thread holds the locks of two operations at once.
  func link(_ own: Identity, _ transaction: inout PoolEngine.Transaction) -> OperationID {
    for element in own.deferred {
      let other = element.operation.register(&transaction)
      let change = GraphChange.addDependency(
        of: own.id,
        on: other,
        requiring: element.requirement
      )
      let cycle = transaction.change(change)
      precondition(cycle == nil, "nothing waits for an operation that is not known")
    }
    return own.id
  }

  /// Removes a dependency.
  ///
  /// If it was the last one that had not finished, this operation is ready at once. No effect once
  /// it has been handed to a worker.
  public func removeDependency(_ operation: PoolOperation) {
    OperationRegistry.process.update { transaction in
      let (own, other) = (register(&transaction), operation.register(&transaction))
      guard transaction.acceptsDependencies(own),
        changeList({ $0.remove(operation) })
      else { return }
      removeEdge(own, other, &transaction)
    }
  }

  /// Removes the dependency from the core.
  func removeEdge(
    _ own: OperationID,
    _ other: OperationID,
    _ transaction: inout PoolEngine.Transaction
  ) {
    // Other dependencies that have ended without meeting their requirement still count, even if
    // their outcome is not visible yet.
    let demanding = life.withLock { $0.dependencies.elements }.filter {
      $0.requirement != .finished
    }
    let rest = demanding.map { ($0.operation.register(&transaction), $0.requirement) }
    transaction.unlink(own, from: other, keeping: rest)
  }

  /// Operations that it may wait for: its dependencies, its group, and its members.
  fileprivate var neighbours: [PoolOperation] {
    let members = (self as? PoolGroupOperation)?.operations ?? []
    return dependencies + members + (group.map { [$0] } ?? [])
  }

  /// Changes the list of dependencies, and tells its observers.
  private func changeList<Value: Sendable>(_ body: (inout DependencyList) -> Value) -> Value {
    life.withLock { life in
      guard life.observers != nil else { return body(&life.dependencies) }
      let old = life.dependencies.operations
      let value = body(&life.dependencies)
      let new = life.dependencies.operations
      if old.count != new.count {
        tell(life, .dependencies, from: .operations(old), to: .operations(new))
      }
      return value
    }
  }
}

extension PoolError {
  /// An error that names the operations of a cycle in order.
  ///
  /// The first ones are given; each following one is in a queue, or a dependency of the one before.
  static func cycle(_ ids: [OperationID], from known: [PoolOperation]) -> Self {
    var path: [String] = []
    var last: PoolOperation?
    for id in ids {
      let candidates = known + (last?.neighbours ?? [])
      last =
        candidates.first { operation in operation.life.withLock { $0.id } == id }
        ?? OperationRegistry.process.operations([id]).first
      path.append("'\(last?.label ?? "operation \(id)")'")
    }
    path.append(path.first ?? "")
    return PoolError(.cycle, "operations wait for each other: \(path.joined(separator: " → "))")
  }
}

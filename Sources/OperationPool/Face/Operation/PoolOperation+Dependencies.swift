import PoolCore
public import PoolModel
import Synchronization

extension PoolOperation {
  /// What the operation depends on, in the order in which it was told so; finished ones stay.
  public var dependencies: [PoolOperation] {
    life.withLock { $0.dependencies.operations }
  }

  /// Lets this operation wait for another one, in whatever queue or in none.
  ///
  /// As in Foundation, it does not matter how the other ends, unless a requirement says so: then
  /// this operation is skipped where the other ends otherwise. A second time has no effect, nor
  /// has it once this operation has been handed to a worker. O(1).
  ///
  /// Throws ``PoolError`` where operations would wait for each other in a cycle, which it names.
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

  /// Lets this operation wait for another one, which the machine knows, where the machine need not
  /// be told yet; returns whether so.
  ///
  /// That is while it does not know this one: nothing that it knows waits for this one then, so
  /// that no cycle can be closed. It is told of all that was noted when it gets to know the
  /// operation, mostly under the lock that is taken for that anyway; and at once by one that raises
  /// its dependencies.
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

  /// With more, the lock would be held for long when an operation, or a batch, becomes known.
  private static let mostDeferred = 64

  /// Tells the machine what an operation depends on that it has just got to know; returns its
  /// number.
  ///
  /// Not under the life's lock: no thread holds those of two operations at once.
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

  /// Lets this operation not wait for another one any more.
  ///
  /// When it was the last one that had not finished, this operation is ready at once. No effect
  /// once it has been handed to a worker.
  public func removeDependency(_ operation: PoolOperation) {
    OperationRegistry.process.update { transaction in
      let (own, other) = (register(&transaction), operation.register(&transaction))
      guard transaction.acceptsDependencies(own),
        changeList({ $0.remove(operation) })
      else { return }
      removeEdge(own, other, &transaction)
    }
  }

  /// Has the core forget that the operation waits for another one.
  func removeEdge(
    _ own: OperationID,
    _ other: OperationID,
    _ transaction: inout PoolEngine.Transaction
  ) {
    // Others that have ended otherwise than required still count, also where their outcome is only
    // about to be seen.
    let demanding = life.withLock { $0.dependencies.elements }.filter {
      $0.requirement != .finished
    }
    let rest = demanding.map { ($0.operation.register(&transaction), $0.requirement) }
    transaction.unlink(own, from: other, keeping: rest)
  }

  /// What it may wait for: its dependencies, its group, and its members.
  fileprivate var neighbours: [PoolOperation] {
    let members = (self as? PoolGroupOperation)?.operations ?? []
    return dependencies + members + (group.map { [$0] } ?? [])
  }

  /// Changes the list of dependencies, and tells its observers.
  private func changeList<Value: Sendable>(_ body: (inout DependencyList) -> Value) -> Value {
    life.withLock { life in
      guard life.hasColdState, life.watchers != nil else { return body(&life.dependencies) }
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
  /// Operations would wait for each other: names them in order.
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

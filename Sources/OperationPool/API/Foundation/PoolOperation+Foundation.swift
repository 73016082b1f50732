public import Foundation
import PoolCore
import PoolModel
import Synchronization

extension PoolOperation {
  /// A Foundation operation that finishes when this operation does, for Foundation's operations to
  /// depend on.
  ///
  /// ```swift
  /// reload.addDependency(thumbnail.foundationOperation)
  /// OperationQueue.main.addOperation(reload)
  /// ```
  ///
  /// It need not be added to a queue. If this operation ends as cancelled, it is cancelled;
  /// cancelling it cancels this operation. It is the same object each time, and does not keep this
  /// operation alive: one that is released without having been executed ends as cancelled.
  public var foundationOperation: Foundation.Operation {
    let label = numberedLabel
    let (mirror, outcome) = life.withLock { life in
      let mirror = life.mirror ?? FoundationMirror(of: self, label)
      life.mirror = mirror
      return (mirror, life.outcome)
    }
    if let outcome { mirror.end(isCancelled: outcome.ending == .cancelled) }
    return mirror
  }

  /// Makes this operation wait for one of Foundation's, however that ends.
  ///
  /// It does not appear among ``dependencies``; it counts as a gate that opens when it has
  /// finished. No effect once this operation was handed to a worker.
  ///
  /// Throws ``PoolError`` if operations would wait for each other in a cycle. The check covers what
  /// Foundation's operation depends on now; it does not see dependencies that are added later.
  public func addDependency(_ operation: Foundation.Operation) throws(PoolError) {
    guard !operation.isFinished else { return }
    let originals = try waitForOriginals(behind: operation)
    let gate = addGate()
    let end: @Sendable () -> Void = { [weak self] in
      self?.stopWaiting(for: originals)
      gate.open()
    }
    let watch = BlockOperation(block: end)
    watch.addDependency(operation)
    FoundationWatch.queue.addOperation(watch)
    // Foundation on Linux may never notice an operation that finishes while it is being added.
    if operation.isFinished { end() }
  }

  /// Adds dependencies on the pool operations for which the Foundation operation waits, and returns
  /// them.
  ///
  /// They let the core find cycles through both graphs, and last until the Foundation operation has
  /// finished, which may no longer wait for them by then.
  private func waitForOriginals(
    behind operation: Foundation.Operation
  ) throws(PoolError) -> [OperationID] {
    let originals = FoundationWatch.originals(behind: operation)
    guard !originals.isEmpty else { return [] }
    return try OperationRegistry.process.update { transaction throws(PoolError) in
      let own = register(&transaction)
      guard transaction.acceptsDependencies(own) else { return [] }
      let known = dependencies
      var added: [OperationID] = []
      for original in originals where !known.contains(where: { $0 === original }) {
        let other = original.register(&transaction)
        let change = GraphChange.addDependency(of: own, on: other, requiring: .finished)
        guard let cycle = transaction.change(change) else {
          added.append(other)
          continue
        }
        for other in added { removeEdge(own, other, &transaction) }
        throw .cycle(cycle, from: [self, original])
      }
      return added
    }
  }

  /// Removes the dependencies that a Foundation operation has brought.
  private func stopWaiting(for originals: [OperationID]) {
    guard !originals.isEmpty else { return }
    OperationRegistry.process.update { transaction in
      let own = register(&transaction)
      guard transaction.acceptsDependencies(own) else { return }
      // Dependencies of its own, which were added since, stay.
      let known = dependencies.compactMap { $0.life.withLock { $0.id } }
      for original in originals where !known.contains(original) {
        removeEdge(own, original, &transaction)
      }
    }
  }
}

/// Waits for Foundation's operations.
private enum FoundationWatch {
  /// The queue of the blocks that report that a Foundation operation has finished.
  static let queue: OperationQueue = {
    let queue = OperationQueue()
    queue.name = "opool.foundation"
    return queue
  }()

  /// The pool operations that a Foundation operation stands for, or waits for directly or
  /// indirectly; those keep what waits for them.
  static func originals(behind operation: Foundation.Operation) -> [PoolOperation] {
    var originals: [PoolOperation] = []
    var known: Set<ObjectIdentifier> = [ObjectIdentifier(operation)]
    var rest = [operation]
    while let next = rest.popLast() {
      if let original = (next as? FoundationMirror)?.original { originals.append(original) }
      for dependency in next.dependencies {
        (dependency as? FoundationMirror)?.keep(next)
        if known.insert(ObjectIdentifier(dependency)).inserted { rest.append(dependency) }
      }
    }
    return originals
  }
}

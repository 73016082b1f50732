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
    try waitForOriginals(behind: operation)
    let gate = addGate()
    let watch = BlockOperation { gate.open() }
    watch.addDependency(operation)
    FoundationWatch.queue.addOperation(watch)
    // Foundation on Linux may never notice an operation that finishes while it is being added.
    guard operation.isFinished else { return }
    gate.open()
  }

  /// Adds dependencies on the pool operations for which the Foundation operation waits.
  ///
  /// They do not change when this operation can be executed, but let the core find cycles through
  /// both graphs.
  private func waitForOriginals(behind operation: Foundation.Operation) throws(PoolError) {
    let originals = FoundationWatch.originals(behind: operation)
    guard !originals.isEmpty else { return }
    try OperationRegistry.process.update { transaction throws(PoolError) in
      let own = register(&transaction)
      guard transaction.acceptsDependencies(own) else { return }
      var added: [OperationID] = []
      for original in originals {
        let other = original.register(&transaction)
        let change = GraphChange.addDependency(of: own, on: other, requiring: .finished)
        guard let cycle = transaction.change(change) else {
          added.append(other)
          continue
        }
        for other in added { removeEdge(own, other, &transaction) }
        throw .cycle(cycle, from: [self, original])
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
  /// indirectly.
  static func originals(behind operation: Foundation.Operation) -> [PoolOperation] {
    var originals: [PoolOperation] = []
    var known: Set<ObjectIdentifier> = [ObjectIdentifier(operation)]
    var rest = [operation]
    while let next = rest.popLast() {
      if let original = (next as? FoundationMirror)?.original { originals.append(original) }
      for dependency in next.dependencies
      where known.insert(ObjectIdentifier(dependency)).inserted {
        rest.append(dependency)
      }
    }
    return originals
  }
}

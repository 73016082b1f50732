public import Foundation
import PoolCore
import PoolModel
import Synchronization

extension PoolOperation {
  /// What operations of Foundation's can depend on; it finishes when this operation does.
  ///
  /// ```swift
  /// reload.addDependency(thumbnail.foundationOperation)
  /// OperationQueue.main.addOperation(reload)
  /// ```
  ///
  /// It need not be added to a queue. It is cancelled where this operation ended so, and cancelling
  /// it cancels this operation. It is the same object each time, and does not keep this operation:
  /// one that is let go without having been executed ends as cancelled.
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

  /// Lets this operation wait for one of Foundation's, however that ends.
  ///
  /// It does not appear among ``dependencies``, and counts as a gate that opens when it has
  /// finished. No effect once this operation was handed to a worker.
  ///
  /// Throws ``PoolError`` where operations would wait for each other in a cycle, as far as that can
  /// be seen: through whatever Foundation's operation depends on now. What it is told to depend on
  /// later is not looked at.
  public func addDependency(_ operation: Foundation.Operation) throws(PoolError) {
    guard !operation.isFinished else { return }
    try waitForOriginals(behind: operation)
    let gate = addGate()
    let watch = BlockOperation { gate.open() }
    watch.addDependency(operation)
    FoundationWatch.queue.addOperation(watch)
    // What finishes while it is added, Foundation on Linux may never notice.
    guard operation.isFinished else { return }
    gate.open()
  }

  /// Waits for our operations that one of Foundation's waits for, which does not change when this
  /// one can be executed: so that the core sees cycles through both graphs.
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

/// Waiting for Foundation's operations.
private enum FoundationWatch {
  /// Where blocks are executed that only tell that something has finished.
  static let queue: OperationQueue = {
    let queue = OperationQueue()
    queue.name = "opool.foundation"
    return queue
  }()

  /// Our operations that one of Foundation's stands for or waits for, however far away.
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

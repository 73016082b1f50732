package import PoolModel

/// What the machines are given with each event: the time, and where to put what follows.
package struct EventContext {
  var now = Instant.zero
  /// What the loop must do, in order.
  package internal(set) var effects: [Effect] = []
  /// The teardown sequences that effects name, so that effects are copied as bytes are.
  var teardowns: [PoolTeardownSequence] = []

  /// Asks a worker to stop an operation, by a sequence.
  mutating func requestCancel(
    _ worker: WorkerID,
    _ reference: DispatchReference,
    by sequence: PoolTeardownSequence
  ) {
    let id = TeardownID(rawValue: UInt32(teardowns.count))
    teardowns.append(sequence)
    effects.append(.requestCancel(worker, reference, id))
  }

  /// Exchanges the effects, and the teardown sequences that they name, for empty lists that the
  /// caller has used before.
  package mutating func take(_ list: inout [Effect], _ sequences: inout [PoolTeardownSequence]) {
    list.removeAll(keepingCapacity: true)
    swap(&list, &effects)
    if !sequences.isEmpty { sequences.removeAll(keepingCapacity: true) }
    swap(&sequences, &teardowns)
  }
}

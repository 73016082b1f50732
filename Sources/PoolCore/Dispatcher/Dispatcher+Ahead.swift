import PoolModel

extension Dispatcher {
  /// The ready operations of its queue that are dispatched before a ready one, in their order; nil
  /// for an operation that workers are not offered.
  ///
  /// Those that wait for units or for several slots are none of them. O(*n* log *n*) for *n* of
  /// them.
  func ahead(of id: OperationID, _ records: borrowing OperationTable) -> [OperationID]? {
    guard let handle = records.handle(of: id), let queue = records[handle].queue,
      records[handle].state == .ready(isOffered: true)
    else { return nil }
    let key = records[handle].key
    var keys: [ReadyKey] = []
    for kindQueue in queues[queue].queueOfKind where kindQueue != .none {
      kindQueues[kindQueue].ready.forEach(before: key) { keys.append($0) }
    }
    return keys.sorted().map { records.id(of: order.occupant($0.position)) }
  }
}

extension ReadyQueue {
  /// Passes the keys before one to the closure, in order.
  fileprivate func forEach(before end: ReadyKey, _ body: (ReadyKey) -> Void) {
    var next = first
    while let key = next, key < end {
      body(key)
      next = first(after: key)
    }
  }
}

package import PoolModel

extension PoolMachine {
  /// What an operation lacks that nothing holds back any longer.
  ///
  /// Nil for one that is not in a queue or has ended, and for a group. Linear in workers and their
  /// operations.
  package func lacks(_ id: OperationID) -> OperationLacks? {
    dispatcher.lacks(id, graph.operations)
  }

  /// The ready operations of its queue that are dispatched before a ready one, in their order; nil
  /// for an operation that workers are not offered.
  package func ahead(of id: OperationID) -> [OperationID]? {
    dispatcher.ahead(of: id, graph.operations)
  }
}

package import PoolCore
package import PoolModel

// How far a queue's slots are used, for those who watch a run.

extension PoolEngine {
  /// How the slots of a queue are used, and what its ready operations lack, at one moment.
  package func standing(of queue: QueueID) -> QueueStanding {
    read { $0.machine.dispatcher.standing(of: queue) }
  }

  /// The numbers of the ready operations that are dispatched before a numbered one, in their order;
  /// nil if workers are not offered it.
  package func ahead(of number: Int) -> [Int]? {
    read { $0.ahead(of: OperationID(index: number, generation: 0)) }?.map(\.number)
  }
}

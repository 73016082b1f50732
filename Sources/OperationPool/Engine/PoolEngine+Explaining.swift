import PoolCore
import PoolModel

// Where an operation stands, for a program that asks.

extension PoolEngine.Transaction {
  /// What an operation waits for before it is ready, beside its dependencies.
  func obstacles(of id: OperationID) -> OperationObstacles { machine.graph.obstacles(of: id) }

  /// What an operation lacks that nothing holds back any longer.
  func lacks(_ id: OperationID) -> OperationLacks? { machine.lacks(id) }

  /// The ready operations of its queue that are dispatched before a ready one; nil for one that
  /// workers are not offered.
  func ahead(of id: OperationID) -> [OperationID]? { machine.ahead(of: id) }

  /// When the attempt that executes an operation began; nil while none does.
  func start(of id: OperationID) -> Instant? { machine.graph.start(of: id) }
}

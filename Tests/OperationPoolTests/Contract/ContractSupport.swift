import OperationPool
import PoolModel

extension Pools {
  /// A queue for blocks alone, of a fleet of its own that starts no process.
  static func blocks(width: Int = .max) throws -> PoolOperationQueue {
    let queue = PoolOperationQueue(fleet: try PoolFleet())
    queue.maxConcurrentOperationCount = width
    return queue
  }
}

/// A block with a name and a priority.
func block(
  _ name: String? = nil,
  priority: PoolQueuePriority = .normal,
  _ body: @escaping PoolBlockOperation.Block = {}
) -> PoolBlockOperation {
  PoolBlockOperation(options: .init(name: name, queuePriority: priority), body)
}

extension PoolOperation {
  /// What each of the state's properties says, in one word each.
  var flags: Set<String> {
    var flags = Set<String>()
    if isReady { flags.insert("ready") }
    if isExecuting { flags.insert("executing") }
    if isFinished { flags.insert("finished") }
    if isCancelled { flags.insert("cancelled") }
    return flags
  }
}

/// Whether two lists hold the same operations, in the same order.
func areSame(_ left: [PoolOperation], _ right: [PoolOperation]) -> Bool {
  left.map(ObjectIdentifier.init) == right.map(ObjectIdentifier.init)
}

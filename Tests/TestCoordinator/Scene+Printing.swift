import OperationPool

extension Scene {
  /// Operations print, one where it is told to and one as it is; prints that both have finished.
  static func printing() async throws {
    let queues = [
      try PoolOperationQueue(),
      try PoolOperationQueue(workers: .thisExecutable(count: 1).printing(to: .discarded)),
    ]
    for (queue, name) in zip(queues, ["seen", "unseen"]) {
      let options = PoolOperationOptions(name: name)
      let operation = PoolInvocationOperation(kind: "greet", payload: [0x30], options: options)
      try queue.addOperation(operation)
      print(try await operation.finished().ending)
    }
  }
}

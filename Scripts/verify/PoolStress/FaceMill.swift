import OperationPool
import PoolModel

/// Puts graphs of empty blocks through a queue's public face.
enum FaceMill {
  static func run(_ shape: Shape, _ count: Int, _ queue: PoolOperationQueue) throws {
    let operations = (0..<count).map { _ in PoolBlockOperation {} }
    for index in operations.indices {
      for other in shape.dependency(of: index, count: count) {
        try operations[index].addDependency(operations[other])
      }
    }
    for operation in operations { try queue.addOperation(operation) }
    try queue.waitUntilAllOperationsAreFinished()
    precondition(
      operations.allSatisfy { $0.outcome?.ending == .succeeded },
      "all have succeeded"
    )
  }
}

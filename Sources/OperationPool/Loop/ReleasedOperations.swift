import PoolModel
import Synchronization

/// Operations that nobody can ask for any more, and that the machine does not know of yet.
final class ReleasedOperations: Sendable {
  private let list = Mutex<[(OperationID, categories: [String])]>([])
  private let count = Atomic(0)

  var isEmpty: Bool { count.load(ordering: .sequentiallyConsistent) == 0 }

  func append(_ operation: OperationID, _ categories: [String]) {
    list.withLock { $0.append((operation, categories)) }
    count.add(1, ordering: .sequentiallyConsistent)
  }

  func takeAll() -> [(OperationID, categories: [String])] {
    let taken = list.withLock { list in
      defer { list = [] }
      return list
    }
    count.subtract(taken.count, ordering: .sequentiallyConsistent)
    return taken
  }
}

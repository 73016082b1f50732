import Synchronization

/// What other threads leave for one that looks for it now and then, in order.
///
/// Whether there is anything is asked without the lock.
final class HandoverList<Element: Sendable>: Sendable {
  private let list = Mutex<[Element]>([])
  private let count = Atomic(0)

  var isEmpty: Bool { count.load(ordering: .sequentiallyConsistent) == 0 }

  func append(_ element: Element) {
    list.withLock { $0.append(element) }
    count.add(1, ordering: .sequentiallyConsistent)
  }

  func takeAll() -> [Element] {
    guard !isEmpty else { return [] }
    let taken = list.withLock { list in
      defer { list = [] }
      return list
    }
    count.subtract(taken.count, ordering: .sequentiallyConsistent)
    return taken
  }
}

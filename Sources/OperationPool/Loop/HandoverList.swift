import Synchronization

/// A list to which other threads append, and which one thread empties now and then.
///
/// ``isEmpty`` takes no lock.
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

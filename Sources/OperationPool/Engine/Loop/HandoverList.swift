import Synchronization

/// A list to which other threads append, and which one thread empties now and then.
///
/// ``isEmpty`` takes no lock.
final class HandoverList<Element: Sendable>: Sendable {
  private let list = Mutex<[Element]>([])
  private let count = Atomic(0)

  var isEmpty: Bool { count.load(ordering: .sequentiallyConsistent) == 0 }

  func append(_ element: Element) {
    list.withLock { list in
      list.append(element)
      count.store(list.count, ordering: .sequentiallyConsistent)
    }
  }

  /// Exchanges all elements for an empty array, whose memory takes the next ones.
  func takeAll(into taken: inout [Element]) {
    guard !isEmpty else { return }
    list.withLock { list in
      swap(&list, &taken)
      count.store(0, ordering: .sequentiallyConsistent)
    }
  }

  func takeAll() -> [Element] {
    var taken: [Element] = []
    takeAll(into: &taken)
    return taken
  }
}

import PoolModel
import PoolWire

/// What a worker was sent and has not begun, in the order in which it came.
///
/// Two lists, so that operations are moved and not copied: what comes is appended to the one; the
/// other is what came first, turned round, so that the next operation is its last. When that is
/// empty, they change places.
struct PrefetchedOperations {
  /// A few times as many as our own coordinator ever has a worker hold.
  private static let usualCapacity = 8_192

  private var coming: [Execute] = []
  private var next: [Execute] = []

  var isEmpty: Bool { next.isEmpty && coming.isEmpty }

  var count: Int { next.count + coming.count }

  /// Takes operations after all others; leaves an empty list, which keeps its memory.
  mutating func append(_ operations: inout [Execute]) {
    if coming.isEmpty {
      swap(&coming, &operations)
    } else {
      coming.append(contentsOf: operations)
      operations.removeAll(keepingCapacity: true)
    }
  }

  /// Gives away the first.
  mutating func popFirst() -> Execute? {
    if next.isEmpty {
      // What a coordinator once sent too much of is not kept room for.
      if next.capacity > Self.usualCapacity { next = [] }
      swap(&next, &coming)
      turnRound()
    }
    return next.popLast()
  }

  /// As `reverse` does, which copies.
  private mutating func turnRound() {
    next.withUnsafeMutableBufferPointer { list in
      for place in 0..<(list.count / 2) { list.swapAt(place, list.count - 1 - place) }
    }
  }

  /// Takes an operation out, which costs as much as there are, and returns whether it was there.
  mutating func remove(_ reference: DispatchReference) -> Bool {
    if let index = coming.lastIndex(where: { $0.reference == reference }) {
      coming.remove(at: index)
      return true
    }
    guard let index = next.firstIndex(where: { $0.reference == reference }) else { return false }
    next.remove(at: index)
    return true
  }
}

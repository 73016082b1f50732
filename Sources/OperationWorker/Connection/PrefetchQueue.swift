import PoolModel
import PoolWire

/// The operations that a worker was sent and has not begun, in the order in which they came.
///
/// It has two lists, so that operations are moved and not copied. New operations are appended to
/// `incoming`. `outgoing` is reversed, so that the next operation is its last. When it is empty,
/// the lists change places.
struct PrefetchQueue {
  /// A few times as many as our own coordinator ever prefetches.
  private static let usualCapacity = 8_192

  private var incoming: [Execute] = []
  private var outgoing: [Execute] = []

  var isEmpty: Bool { outgoing.isEmpty && incoming.isEmpty }

  var count: Int { outgoing.count + incoming.count }

  /// Takes operations after all others; leaves an empty list, which keeps its memory.
  mutating func append(_ operations: inout [Execute]) {
    if incoming.isEmpty {
      swap(&incoming, &operations)
    } else {
      incoming.append(contentsOf: operations)
      operations.removeAll(keepingCapacity: true)
    }
  }

  /// Removes the first operation and returns it.
  mutating func popFirst() -> Execute? {
    if outgoing.isEmpty {
      // Gives back the memory that an unusually long list has needed.
      if outgoing.capacity > Self.usualCapacity { outgoing = [] }
      swap(&outgoing, &incoming)
      reverseOutgoing()
    }
    return outgoing.popLast()
  }

  /// Like `reverse()`, but that would copy the operations.
  private mutating func reverseOutgoing() {
    outgoing.withUnsafeMutableBufferPointer { list in
      for index in 0..<(list.count / 2) { list.swapAt(index, list.count - 1 - index) }
    }
  }

  /// Removes an operation, and returns whether it was there: O(n).
  mutating func remove(_ reference: DispatchReference) -> Bool {
    if let index = incoming.lastIndex(where: { $0.reference == reference }) {
      incoming.remove(at: index)
      return true
    }
    guard let index = outgoing.firstIndex(where: { $0.reference == reference }) else {
      return false
    }
    outgoing.remove(at: index)
    return true
  }
}

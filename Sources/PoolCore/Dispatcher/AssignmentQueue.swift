import PoolModel

/// The operations that a worker has, in the order of dispatch; only the first can be executing.
///
/// A queue in an array: the head moves on, and the array is compacted when half of it is used up.
struct AssignmentQueue {
  private var items: [Assignment] = []
  private var head = 0

  /// Expected nanoseconds of the operations behind the first.
  private(set) var prefetchedWork: Int64 = 0

  var count: Int { items.count - head }
  var isEmpty: Bool { items.count == head }
  var first: Assignment? { isEmpty ? nil : items[head] }

  /// The operation behind the first.
  var second: Assignment? { count > 1 ? items[head + 1] : nil }
  /// What came last.
  var last: Assignment? { isEmpty ? nil : items.last }

  /// All operations, in order.
  var all: ArraySlice<Assignment> { items[head...] }

  /// The operations behind the first, in order.
  var prefetched: ArraySlice<Assignment> { items[min(head + 1, items.count)...] }

  mutating func append(_ assignment: Assignment) {
    if !isEmpty { prefetchedWork += assignment.expected }
    items.append(assignment)
  }

  /// Removes the first, and returns its expected length; the next one no longer counts as
  /// prefetched.
  @discardableResult
  mutating func removeFirst() -> Int64 {
    let expected = items[head].expected
    advance()
    if let first { prefetchedWork -= first.expected }
    return expected
  }

  private mutating func advance() {
    head += 1
    guard head > 32, head * 2 > items.count else { return }
    items.removeFirst(head)
    head = 0
  }

  /// Removes an operation that is not the first, if it is in the queue; O(1) for the second.
  mutating func removePrefetched(_ handle: OperationHandle) {
    guard let index = prefetched.firstIndex(where: { $0.handle == handle }) else { return }
    prefetchedWork -= items[index].expected
    guard index == head + 1 else {
      items.remove(at: index)
      return
    }
    // Recalled operations come back in order, and may be thousands.
    items[index] = items[head]
    advance()
  }

  /// The assignment with this dispatch number, if it is in the queue.
  func assignment(_ number: DispatchNumber) -> Assignment? {
    all.first { $0.number == number }
  }
}

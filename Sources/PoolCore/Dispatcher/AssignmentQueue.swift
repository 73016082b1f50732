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

  /// Whether so little prefetched work is left that the worker is given more; `gathers` says
  /// whether answers may wait.
  func runsLow(gathers: Bool) -> Bool {
    PrefetchPolicy.runsLow(prefetchedWork, count: count - 1, gathers: gathers)
  }

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
    head += 1
    if let first { prefetchedWork -= first.expected }
    guard head > 32, head * 2 > items.count else { return expected }
    items.removeFirst(head)
    head = 0
    return expected
  }

  /// Removes an operation that is not the first, if it is in the queue.
  mutating func removePrefetched(_ handle: OperationHandle) {
    guard let index = prefetched.firstIndex(where: { $0.handle == handle }) else { return }
    prefetchedWork -= items[index].expected
    items.remove(at: index)
  }

  /// The assignment with this dispatch number, if it is in the queue.
  func assignment(_ number: DispatchNumber) -> Assignment? {
    all.first { $0.number == number }
  }
}

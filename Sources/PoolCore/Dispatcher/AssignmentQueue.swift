import PoolModel

/// What a worker has, in the order of dispatch; only the first can be executing.
///
/// A queue in an array: the front moves on, and the array is closed up when half of it is spent.
struct AssignmentQueue {
  private var items: [Assignment] = []
  private var head = 0

  /// The expected nanoseconds of what waits behind the first.
  private(set) var prefetchedWork: Int64 = 0

  var count: Int { items.count - head }
  var isEmpty: Bool { items.count == head }
  var first: Assignment? { isEmpty ? nil : items[head] }

  /// What comes after the first.
  var second: Assignment? { count > 1 ? items[head + 1] : nil }
  /// What came last.
  var last: Assignment? { isEmpty ? nil : items.last }

  /// Whether at most half of what may be prefetched is left, or a single one: time for more, in one
  /// go, while the rest keeps the worker busy.
  ///
  /// If each answer brought one operation, both sides would wake each other for every one.
  var isHalfSpent: Bool {
    count <= 2
      || prefetchedWork <= PrefetchPolicy.workLimit / 2
        && count - 1 <= PrefetchPolicy.countLimit / 2
  }

  /// All of them, in order.
  var all: ArraySlice<Assignment> { items[head...] }

  /// What waits behind the first, in order.
  var prefetched: ArraySlice<Assignment> { items[min(head + 1, items.count)...] }

  mutating func append(_ assignment: Assignment) {
    if !isEmpty { prefetchedWork += assignment.expected }
    items.append(assignment)
  }

  /// Removes the first, and returns its expected length; what was behind it is not prefetched any
  /// more.
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

  /// Removes an operation that is not the first, if it is here.
  mutating func removePrefetched(_ handle: OperationHandle) {
    guard let index = prefetched.firstIndex(where: { $0.handle == handle }) else { return }
    prefetchedWork -= items[index].expected
    items.remove(at: index)
  }

  /// What has this number here, if anything has.
  func assignment(_ number: DispatchNumber) -> Assignment? {
    all.first { $0.number == number }
  }
}

import PoolModel

/// One operation that a worker has and has not answered.
struct Assignment {
  var slot: OperationHandle
  var number: DispatchNumber
  /// The expected length of its execution in nanoseconds, 0 while unknown.
  var expected: Int64
}

/// What a worker has, in the order of dispatch; only the first can be executing.
///
/// A queue in an array: the front moves on, and the array is closed up when half of it is spent.
struct AssignmentLine {
  private var items: [Assignment] = []
  private var head = 0

  /// The expected nanoseconds of what waits behind the first.
  private(set) var heldWork: Int64 = 0

  var count: Int { items.count - head }
  var isEmpty: Bool { items.count == head }
  var first: Assignment? { isEmpty ? nil : items[head] }

  /// Whether at most half of what may be held is left: time for more, in one go, while the rest
  /// keeps the worker busy.
  ///
  /// If each answer brought one operation, both sides would wake each other for every one.
  var isHalfSpent: Bool {
    heldWork <= PrefetchPolicy.heldWorkLimit / 2 && count - 1 <= PrefetchPolicy.heldCountLimit / 2
  }

  /// All of them, in order.
  var all: ArraySlice<Assignment> { items[head...] }

  /// What waits behind the first, in order.
  var held: ArraySlice<Assignment> { items[min(head + 1, items.count)...] }

  mutating func append(_ assignment: Assignment) {
    if !isEmpty { heldWork += assignment.expected }
    items.append(assignment)
  }

  /// Removes the first; what was behind it is not held any more.
  mutating func removeFirst() {
    head += 1
    if let first { heldWork -= first.expected }
    guard head > 32, head * 2 > items.count else { return }
    items.removeFirst(head)
    head = 0
  }

  /// Removes an assignment that is not the first; false where there is none with the number.
  mutating func removeHeld(_ number: DispatchNumber) -> Bool {
    guard let index = held.firstIndex(where: { $0.number == number }) else { return false }
    heldWork -= items[index].expected
    items.remove(at: index)
    return true
  }

  /// The slot of the operation that has this number here, if one has.
  func slot(of number: DispatchNumber) -> OperationHandle? {
    items[head...].first { $0.number == number }?.slot
  }

  func contains(_ number: DispatchNumber) -> Bool { slot(of: number) != nil }
}

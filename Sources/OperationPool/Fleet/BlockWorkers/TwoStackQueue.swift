/// A queue with amortised O(1): added elements wait until all older ones are taken.
struct TwoStackQueue<Element> {
  private var older: [Element] = []
  private var newer: [Element] = []

  var count: Int { older.count + newer.count }
  var first: Element? { older.last ?? newer.first }

  mutating func append(_ element: Element) { newer.append(element) }

  mutating func popFirst() -> Element? {
    if older.isEmpty {
      guard newer.count > 1 else { return newer.popLast() }
      swap(&older, &newer)
      older.reverse()
    }
    return older.popLast()
  }

  /// Removes the element that was added last; false if there is none.
  mutating func removeLast() -> Bool {
    guard newer.isEmpty else { return newer.popLast() != nil }
    guard !older.isEmpty else { return false }
    older.removeFirst()
    return true
  }
}

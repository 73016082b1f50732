/// Lists for a few of many operations: what most lines of a manifest lack costs them nothing.
///
/// Operations come in rising order. Looking one up is a binary search among those that have a
/// list.
struct SparseRows<Element: Sendable>: Sendable {
  /// The operations that have a list.
  private(set) var operations: [UInt32] = []
  /// Where each of their lists ends.
  private var ends: [UInt32] = []
  /// All lists, one after the other.
  var elements: [Element] = []

  /// Adds an element to the list that has not ended yet.
  mutating func append(_ element: Element) {
    elements.append(element)
  }

  /// Ends the list of an operation; an empty one is not kept.
  mutating func endRow(of operation: Int) {
    guard elements.count > endOfRows else { return }
    operations.append(UInt32(operation))
    ends.append(UInt32(elements.count))
  }

  /// Forgets the list that has not ended yet.
  mutating func abandonRow() {
    elements.removeLast(elements.count - endOfRows)
  }

  private var endOfRows: Int { Int(ends.last ?? 0) }

  /// The list of an operation; empty where it has none.
  subscript(operation: Int) -> ArraySlice<Element> {
    let place = place(of: operation)
    guard place < operations.count, operations[place] == operation else { return [] }
    return list(at: place)
  }

  /// Each operation that has a list, and the list.
  var rows: some Sequence<(operation: Int, list: ArraySlice<Element>)> {
    operations.indices.lazy.map { (operation: Int(operations[$0]), list: list(at: $0)) }
  }

  private func list(at place: Int) -> ArraySlice<Element> {
    elements[(place == 0 ? 0 : Int(ends[place - 1]))..<Int(ends[place])]
  }

  /// The place of the first operation that is not before this one.
  private func place(of operation: Int) -> Int {
    var lower = 0
    var upper = operations.count
    while lower < upper {
      let middle = (lower + upper) / 2
      if operations[middle] < operation { lower = middle + 1 } else { upper = middle }
    }
    return lower
  }
}

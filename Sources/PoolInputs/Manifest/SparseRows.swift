/// Lists of a few operations among many; an operation without a list costs no memory.
///
/// Operations come in rising order. A lookup is a binary search among those with a list.
struct SparseRows<Element: Sendable>: Sendable {
  /// The operations that have a list.
  private(set) var operations: [UInt32] = []
  /// The end of each of their lists.
  private var ends: [UInt32] = []
  /// All lists, concatenated.
  var elements: [Element] = []

  /// Adds an element to the current list.
  mutating func append(_ element: Element) {
    elements.append(element)
  }

  /// Ends the current list as that of an operation; an empty one is not stored.
  mutating func endRow(of operation: Int) {
    guard elements.count > endOfRows else { return }
    operations.append(UInt32(operation))
    ends.append(UInt32(elements.count))
  }

  /// Drops the current list.
  mutating func abandonRow() {
    elements.removeLast(elements.count - endOfRows)
  }

  private var endOfRows: Int { Int(ends.last ?? 0) }

  /// The list of an operation; empty without one.
  subscript(operation: Int) -> ArraySlice<Element> {
    let place = place(of: operation)
    guard place < operations.count, operations[place] == operation else { return [] }
    return list(at: place)
  }

  /// Each operation with a list, and the list.
  var rows: some Sequence<(operation: Int, list: ArraySlice<Element>)> {
    operations.indices.lazy.map { (operation: Int(operations[$0]), list: list(at: $0)) }
  }

  private func list(at place: Int) -> ArraySlice<Element> {
    elements[(place == 0 ? 0 : Int(ends[place - 1]))..<Int(ends[place])]
  }

  /// The place of the first operation with a number of at least this one.
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

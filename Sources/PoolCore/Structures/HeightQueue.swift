/// The visits that a search still has to look at, by height.
///
/// A heap of its own: an ``IndexedHeap`` also writes down where each entry is, at every step, for
/// removals that a search never makes.
struct HeightQueue {
  private struct Entry {
    var height: Int64
    var visit: UInt32
  }

  private var heap: [Entry] = []

  mutating func insert(_ visit: Int, height: Int64) {
    let entry = Entry(height: height, visit: UInt32(visit))
    var hole = heap.count
    heap.append(entry)
    while hole > 0, entry.height < heap[(hole - 1) / 2].height {
      heap[hole] = heap[(hole - 1) / 2]
      hole = (hole - 1) / 2
    }
    heap[hole] = entry
  }

  /// Takes the visit of the smallest height.
  mutating func popFirst() -> Int? {
    guard let first = heap.first, let last = heap.popLast() else { return nil }
    if !heap.isEmpty { sink(last) }
    return Int(first.visit)
  }

  mutating func removeAll(keepingCapacity: Bool) {
    heap.removeAll(keepingCapacity: keepingCapacity)
  }

  /// Replaces the first entry and restores the heap.
  private mutating func sink(_ entry: Entry) {
    var hole = 0
    while let child = lesserChild(of: hole), heap[child].height < entry.height {
      heap[hole] = heap[child]
      hole = child
    }
    heap[hole] = entry
  }

  private func lesserChild(of parent: Int) -> Int? {
    let left = 2 * parent + 1
    guard left + 1 < heap.count else { return left < heap.count ? left : nil }
    return heap[left + 1].height < heap[left].height ? left + 1 : left
  }
}

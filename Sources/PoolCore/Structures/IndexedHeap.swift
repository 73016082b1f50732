/// An entry of an ``IndexedHeap``: the least entry comes first.
protocol IndexedHeapEntry: Comparable, Sendable {
  associatedtype Member: SlabHandle
  /// What the entry is about; the heap finds the entry by it.
  var member: Member { get }
}

/// A binary heap with at most one entry for each member.
struct IndexedHeap<Entry: IndexedHeapEntry>: Sendable {
  private(set) var entries: [Entry] = []
  /// The index of each member's entry, or `absent`.
  private var indices: [Int32] = []

  private static var absent: Int32 { -1 }

  /// The least entry; nil if there is none.
  var first: Entry? { entries.first }

  /// A member's entry; nil if it has none.
  func entry(of member: Entry.Member) -> Entry? {
    index(of: member).map { entries[$0] }
  }

  @inline(__always)
  private func index(of member: Entry.Member) -> Int? {
    guard member.offset < indices.count, indices[member.offset] != Self.absent else { return nil }
    return Int(indices[member.offset])
  }

  /// Inserts a member's entry, or replaces it by a lesser one; a greater one changes nothing.
  mutating func lower(to entry: Entry) {
    while indices.count <= entry.member.offset { indices.append(Self.absent) }
    guard let index = index(of: entry.member) else {
      entries.append(entry)
      return siftUp(entry, from: entries.count - 1)
    }
    if entry < entries[index] { siftUp(entry, from: index) }
  }

  /// Replaces the first entry by a greater one of the same member.
  mutating func raiseFirst(to entry: Entry) {
    siftDown(entry, from: 0)
  }

  /// Removes a member's entry, if it has one.
  mutating func remove(_ member: Entry.Member) {
    guard let index = index(of: member) else { return }
    indices[member.offset] = Self.absent
    let last = entries.removeLast()
    guard index < entries.count else { return }
    siftUp(last, from: index)
    siftDown(last, from: Int(indices[last.member.offset]))
  }

  mutating func removeAll() {
    for entry in entries { indices[entry.member.offset] = Self.absent }
    entries.removeAll(keepingCapacity: true)
  }

  private mutating func siftUp(_ entry: Entry, from start: Int) {
    var hole = start
    while hole > 0, entry < entries[(hole - 1) / 2] {
      put(entries[(hole - 1) / 2], at: hole)
      hole = (hole - 1) / 2
    }
    put(entry, at: hole)
  }

  private mutating func siftDown(_ entry: Entry, from start: Int) {
    var hole = start
    while true {
      var child = 2 * hole + 1
      if child + 1 < entries.count, entries[child + 1] < entries[child] { child += 1 }
      guard child < entries.count, entries[child] < entry else { break }
      put(entries[child], at: hole)
      hole = child
    }
    put(entry, at: hole)
  }

  private mutating func put(_ entry: Entry, at index: Int) {
    entries[index] = entry
    indices[entry.member.offset] = Int32(index)
  }
}

import PoolModel

/// The kind queues from which workers of one configuration are given operations: a heap, ordered by
/// the first operation of each.
///
/// It holds the kind queues that have ready operations and whose queue has room.
///
/// An entry's key may be smaller than that of the kind queue's first operation, never greater: when
/// operations leave, the heap stays as it is. Only the top entry is compared, and moved down if
/// necessary. So on the hot path, a queue with many operations of one kind moves no entry.
struct KindQueueHeap {
  struct Entry {
    var key: UInt64
    var kindQueue: KindQueueHandle
  }

  private(set) var entries: [Entry] = []
  /// The index of each kind queue's entry; or `absent`, or `unserved`.
  private var places: [Int32] = []

  private static var absent: Int32 { -1 }
  private static var unserved: Int32 { -2 }

  var isEmpty: Bool { entries.isEmpty }

  /// The entry with the smallest key; there must be one.
  var first: Entry { entries[0] }

  /// Whether the first entry has this key, or is the only one, whose key does not matter.
  @inline(__always)
  func isFirst(under key: UInt64) -> Bool { entries.count == 1 || entries[0].key == key }

  /// Whether the configuration serves the kind queue.
  func serves(_ kindQueue: KindQueueHandle) -> Bool {
    kindQueue.offset < places.count && places[kindQueue.offset] != Self.unserved
  }

  /// The kind queues that the configuration serves, in the order of their numbers.
  var served: some Sequence<KindQueueHandle> {
    places.indices.lazy.filter { places[$0] != Self.unserved }.map { KindQueueHandle($0) }
  }

  /// The key under which a kind queue is listed, or nil.
  func key(of kindQueue: KindQueueHandle) -> UInt64? {
    guard serves(kindQueue), places[kindQueue.offset] != Self.absent else { return nil }
    return entries[Int(places[kindQueue.offset])].key
  }

  /// Adds a kind queue that the configuration serves; it is not listed yet.
  mutating func serve(_ kindQueue: KindQueueHandle) {
    while places.count <= kindQueue.offset { places.append(Self.unserved) }
    if places[kindQueue.offset] == Self.unserved { places[kindQueue.offset] = Self.absent }
  }

  /// Removes a kind queue that the configuration no longer serves.
  mutating func forget(_ kindQueue: KindQueueHandle) {
    guard serves(kindQueue) else { return }
    remove(kindQueue)
    places[kindQueue.offset] = Self.unserved
  }

  /// Lists a kind queue under this key, or a smaller one.
  mutating func list(_ kindQueue: KindQueueHandle, under key: UInt64) {
    let place = Int(places[kindQueue.offset])
    if place == Int(Self.absent) {
      entries.append(Entry(key: key, kindQueue: kindQueue))
      siftUp(from: entries.count - 1)
    } else if key < entries[place].key {
      entries[place].key = key
      siftUp(from: place)
    }
  }

  /// Raises the first entry's key.
  mutating func delayFirst(to key: UInt64) {
    entries[0].key = key
    siftDown(from: 0)
  }

  /// Removes a kind queue's entry.
  mutating func remove(_ kindQueue: KindQueueHandle) {
    let place = Int(places[kindQueue.offset])
    guard place != Int(Self.absent) else { return }
    places[kindQueue.offset] = Self.absent
    let last = entries.removeLast()
    guard place < entries.count else { return }
    entries[place] = last
    places[last.kindQueue.offset] = Int32(place)
    siftUp(from: place)
    siftDown(from: Int(places[last.kindQueue.offset]))
  }

  mutating func removeAll() {
    for entry in entries { places[entry.kindQueue.offset] = Self.absent }
    entries.removeAll(keepingCapacity: true)
  }

  private mutating func siftUp(from start: Int) {
    let entry = entries[start]
    var hole = start
    while hole > 0, entry.key < entries[(hole - 1) / 2].key {
      put(entries[(hole - 1) / 2], at: hole)
      hole = (hole - 1) / 2
    }
    put(entry, at: hole)
  }

  private mutating func siftDown(from start: Int) {
    let entry = entries[start]
    var hole = start
    while true {
      var child = 2 * hole + 1
      if child + 1 < entries.count, entries[child + 1].key < entries[child].key { child += 1 }
      guard child < entries.count, entries[child].key < entry.key else { break }
      put(entries[child], at: hole)
      hole = child
    }
    put(entry, at: hole)
  }

  private mutating func put(_ entry: Entry, at place: Int) {
    entries[place] = entry
    places[entry.kindQueue.offset] = Int32(place)
  }
}

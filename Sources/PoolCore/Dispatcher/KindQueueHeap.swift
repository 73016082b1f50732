import PoolModel

/// The kind queues that workers of one configuration are given operations from: a heap by the first
/// operation of each, for those that have one and may have it dispatched.
///
/// A key may be smaller than that of the operation that is first by now, never greater: when
/// operations leave, nothing is moved. What is on top is then compared, and moved down if need be.
/// So the hot path of a queue that has many operations of one kind moves nothing.
struct KindQueueHeap {
  struct Entry {
    var key: UInt64
    var kindQueue: KindQueueHandle
  }

  private(set) var entries: [Entry] = []
  /// Where the entry of each kind queue is; or `absent`, or `unserved`.
  private var places: [Int32] = []

  private static var absent: Int32 { -1 }
  private static var unserved: Int32 { -2 }

  var isEmpty: Bool { entries.isEmpty }

  /// The entry with the smallest key; there must be one.
  var first: Entry { entries[0] }

  /// Whether the first has this key, or is the only one, whose key does not matter.
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

  /// The key under which a kind queue is listed, if it is.
  func key(of kindQueue: KindQueueHandle) -> UInt64? {
    guard serves(kindQueue), places[kindQueue.offset] != Self.absent else { return nil }
    return entries[Int(places[kindQueue.offset])].key
  }

  /// The configuration serves one more kind queue, which is not listed yet.
  mutating func serve(_ kindQueue: KindQueueHandle) {
    while places.count <= kindQueue.offset { places.append(Self.unserved) }
    if places[kindQueue.offset] == Self.unserved { places[kindQueue.offset] = Self.absent }
  }

  /// The configuration does not serve a kind queue any more.
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

  /// The first has this greater key by now.
  mutating func delayFirst(to key: UInt64) {
    entries[0].key = key
    siftDown(from: 0)
  }

  /// Lists a kind queue no more.
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

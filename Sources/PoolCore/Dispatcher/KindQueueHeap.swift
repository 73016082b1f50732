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
  struct Entry: IndexedHeapEntry {
    var key: UInt64
    var kindQueue: KindQueueHandle

    var member: KindQueueHandle { kindQueue }
    static func < (left: Self, right: Self) -> Bool { left.key < right.key }
  }

  private var heap = IndexedHeap<Entry>()
  /// Whether the configuration serves each kind queue.
  private var areServed: [Bool] = []

  var entries: [Entry] { heap.entries }
  var isEmpty: Bool { entries.isEmpty }

  /// The entry with the smallest key; there must be one.
  var first: Entry { entries[0] }

  /// Whether the first entry has this key, or is the only one, whose key does not matter.
  @inline(__always)
  func isFirst(under key: UInt64) -> Bool { entries.count == 1 || entries[0].key == key }

  /// Whether the configuration serves the kind queue.
  func serves(_ kindQueue: KindQueueHandle) -> Bool {
    kindQueue.offset < areServed.count && areServed[kindQueue.offset]
  }

  /// The kind queues that the configuration serves, in the order of their numbers.
  var served: some Sequence<KindQueueHandle> {
    areServed.indices.lazy.filter { areServed[$0] }.map { KindQueueHandle($0) }
  }

  /// The key under which a kind queue is listed, or nil.
  func key(of kindQueue: KindQueueHandle) -> UInt64? { heap.entry(of: kindQueue)?.key }

  /// Adds a kind queue that the configuration serves; it is not listed yet.
  mutating func serve(_ kindQueue: KindQueueHandle) {
    while areServed.count <= kindQueue.offset { areServed.append(false) }
    areServed[kindQueue.offset] = true
  }

  /// Removes a kind queue that the configuration no longer serves.
  mutating func forget(_ kindQueue: KindQueueHandle) {
    guard serves(kindQueue) else { return }
    heap.remove(kindQueue)
    areServed[kindQueue.offset] = false
  }

  /// Lists a kind queue under this key, or a smaller one.
  mutating func list(_ kindQueue: KindQueueHandle, under key: UInt64) {
    heap.lower(to: Entry(key: key, kindQueue: kindQueue))
  }

  /// Raises the first entry's key.
  mutating func delayFirst(to key: UInt64) {
    heap.raiseFirst(to: Entry(key: key, kindQueue: first.kindQueue))
  }

  /// Removes a kind queue's entry.
  mutating func remove(_ kindQueue: KindQueueHandle) { heap.remove(kindQueue) }

  mutating func removeAll() { heap.removeAll() }
}

import PoolModel

/// When to look next at each of many things: a heap with at most one entry for each.
///
/// A timer may fire too early, never too late. Moving a deadline back costs nothing: the old entry
/// rings first, and the caller then looks at its key and arms it again. So a stream of deadlines
/// that are met costs no heap operation for each.
struct TimerQueue<Key: SlabHandle> {
  private struct Timer {
    var at: Instant
    var key: Int
  }

  private var heap: [Timer] = []
  /// The index of each key's entry, or `absent`.
  private var places: [Int] = []

  private static var absent: Int { -1 }

  /// The earliest timer.
  var next: Instant? { heap.first?.at }

  /// Whether the key's timer fires by then.
  func fires(_ handle: Key, by nanoseconds: Int64) -> Bool {
    let key = handle.offset
    guard key < places.count, places[key] != Self.absent else { return false }
    return heap[places[key]].at.nanoseconds <= nanoseconds
  }

  /// Makes the timer of a key fire no later than at this instant.
  mutating func arm(_ handle: Key, at instant: Instant) {
    let key = handle.offset
    while places.count <= key { places.append(Self.absent) }
    let place = places[key]
    if place == Self.absent {
      heap.append(Timer(at: instant, key: key))
      places[key] = heap.count - 1
      siftUp(from: heap.count - 1)
    } else if instant < heap[place].at {
      heap[place].at = instant
      siftUp(from: place)
    }
  }

  /// Takes the next key whose timer is due; the caller must look at it and arm it again.
  mutating func popDue(at now: Instant) -> Key? {
    guard let first = heap.first, first.at <= now else { return nil }
    swap(0, heap.count - 1)
    heap.removeLast()
    places[first.key] = Self.absent
    siftDown(from: 0)
    return Key(first.key)
  }

  private mutating func siftDown(from index: Int) {
    var parent = index
    while true {
      var least = parent
      for child in (2 * parent + 1)...(2 * parent + 2)
      where child < heap.count && isBefore(child, least) {
        least = child
      }
      guard least != parent else { return }
      swap(parent, least)
      parent = least
    }
  }

  private mutating func siftUp(from index: Int) {
    var child = index
    while child > 0, isBefore(child, (child - 1) / 2) {
      swap(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func swap(_ left: Int, _ right: Int) {
    heap.swapAt(left, right)
    places[heap[left].key] = left
    places[heap[right].key] = right
  }

  /// Ties are broken by the key, so that timers ring in the same order in every run.
  private func isBefore(_ left: Int, _ right: Int) -> Bool {
    (heap[left].at, heap[left].key) < (heap[right].at, heap[right].key)
  }
}

import PoolModel

/// When each worker must next be looked at: a heap with at most one entry a worker.
///
/// An alarm may ring too early, never too late: moving a worker's deadline back costs nothing,
/// because the entry that is there rings first and the worker is then looked at and armed again.
/// So a stream of operations with timeouts costs no heap operation each.
struct AlarmQueue {
  private struct Alarm {
    var at: Instant
    var worker: Int
  }

  private var heap: [Alarm] = []
  /// Where each worker's entry is, or `absent`.
  private var places: [Int] = []

  private static let absent = -1

  /// The earliest alarm.
  var next: Instant? { heap.first?.at }

  /// Whether the worker is looked at by then.
  func rings(_ worker: Int, by nanoseconds: Int64) -> Bool {
    guard worker < places.count, places[worker] != Self.absent else { return false }
    return heap[places[worker]].at.nanoseconds <= nanoseconds
  }

  /// Makes sure that the worker is looked at no later than at this instant.
  mutating func arm(_ worker: Int, at instant: Instant) {
    while places.count <= worker { places.append(Self.absent) }
    let place = places[worker]
    if place == Self.absent {
      heap.append(Alarm(at: instant, worker: worker))
      places[worker] = heap.count - 1
      siftUp(from: heap.count - 1)
    } else if instant < heap[place].at {
      heap[place].at = instant
      siftUp(from: place)
    }
  }

  /// Takes the next worker that is due; it must be looked at and armed again.
  mutating func popDue(at now: Instant) -> Int? {
    guard let first = heap.first, first.at <= now else { return nil }
    swap(0, heap.count - 1)
    heap.removeLast()
    places[first.worker] = Self.absent
    siftDown(from: 0)
    return first.worker
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
    places[heap[left].worker] = left
    places[heap[right].worker] = right
  }

  /// Ties are broken by the worker, so that alarms ring in the same order in every run.
  private func isBefore(_ left: Int, _ right: Int) -> Bool {
    (heap[left].at, heap[left].worker) < (heap[right].at, heap[right].worker)
  }
}

import PoolModel

/// The lanes in which a timeline draws the attempts of a run: one for each worker at a time.
///
/// A worker that follows another one, which is gone, is drawn in the lane of that one.
package struct SlotLanes: Sendable {
  /// Number of lanes.
  package let count: Int
  private let places: [Int]

  /// Assigns a lane to each worker of a run; O(*n* log *n*) for *n* workers and their attempts.
  package init(_ history: RunHistory) {
    let spans = Self.spans(of: history)
    var places = [Int](repeating: 0, count: spans.count)
    /// When each lane is free again.
    var free: [Instant] = []
    for worker in spans.indices.sorted(by: { (spans[$0].start, $0) < (spans[$1].start, $1) }) {
      let lane = free.firstIndex { $0 <= spans[worker].start } ?? free.count
      if lane == free.count { free.append(.zero) }
      free[lane] = spans[worker].end
      places[worker] = lane
    }
    (self.places, count) = (places, free.count)
  }

  /// The lane of a worker, by its place among those of the history.
  package subscript(worker: Int) -> Int { places[worker] }

  private struct Span {
    var start: Instant
    var end: Instant
  }

  /// From a worker's first attempt to its end.
  private static func spans(of history: RunHistory) -> [Span] {
    var spans = history.workers.map { Span(start: $0.greeted ?? history.end, end: .zero) }
    for place in history.operations.indices {
      let attempts = history.operations[place].attempts
      for number in attempts.indices {
        let worker = attempts[number].workerPlace
        spans[worker].start = min(spans[worker].start, attempts[number].started)
        spans[worker].end = max(spans[worker].end, attempts[number].finished ?? history.end)
      }
    }
    for (place, worker) in history.workers.enumerated() {
      spans[place].end = max(spans[place].end, worker.ended ?? history.end)
    }
    return spans
  }
}

import PoolModel

/// The number of a run's workers that have greeted and not ended, in the order of time.
struct LivingWorkers {
  private struct Change {
    var time: Instant
    var difference: Int
  }

  private(set) var count = 0
  private let changes: [Change]
  private var nextPlace = 0

  /// Workers whose greeting is not known are there from the beginning.
  init(_ history: RunHistory) {
    changes =
      history.workers.flatMap { worker in
        [Change(time: worker.greeted ?? .zero, difference: 1)]
          + (worker.ended.map { [Change(time: $0, difference: -1)] } ?? [])
      }
      .sorted { $0.time < $1.time }
  }

  /// When the number changes next, if that is no later than the moment.
  func next(until time: Instant) -> Instant? {
    guard nextPlace < changes.count, changes[nextPlace].time <= time else { return nil }
    return changes[nextPlace].time
  }

  mutating func takeNext() {
    count += changes[nextPlace].difference
    nextPlace += 1
  }
}

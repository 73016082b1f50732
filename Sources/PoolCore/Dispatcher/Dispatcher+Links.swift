import PoolModel

// Workers behind links: what they hold hides the link's delay, and is the first to be missed where
// little is ready.

extension Dispatcher {
  /// A question to a worker that may be far was answered after so many nanoseconds.
  mutating func noteRoundTrip(_ nanoseconds: Int64, of worker: WorkerHandle) {
    if assignments[worker].window.isFar { assignments[worker].window.add(nanoseconds) }
  }

  /// Too many bytes wait for a worker's link, or no longer.
  mutating func note(isCongested: Bool, _ worker: WorkerHandle) {
    assignments[worker].window.isCongested = isCongested
    guard !isCongested, !assignments[worker].queue.isEmpty else { return }
    list(worker)
    markDirty(assignments[worker].configuration)
  }

  /// A worker has measured how long the operation took that it answers now.
  @inline(__always)
  mutating func note(elapsed nanoseconds: Int64, by worker: WorkerHandle) {
    guard assignments[worker].window.isFar, let first = assignments[worker].queue.first else {
      return
    }
    assignments[worker].answerRate.told.nanoseconds += nanoseconds
    assignments[worker].answerRate.told.count += 1
    assignments[worker].answerRate.lastDispatched = first.dispatchedAt
  }

  /// How many operations a worker is given at once to prefetch.
  struct PrefetchShare {
    let count: Int
    let isFar: Bool

    /// For a worker that has so many: what is far has at most twice as many afterwards, so that the
    /// bytes that wait for its link become too many in small steps.
    @inline(__always)
    func limit(behind held: Int) -> Int { isFar ? min(count, max(held, Self.leastStep)) : count }

    /// The number that is always given at once: fewer would be as many writes.
    static let leastStep = 32
  }

  /// An even share of what is ready: among the workers that may have room; for those that are far,
  /// among all, because the near ones finish theirs sooner.
  func share(of configuration: ConfigurationID) -> PrefetchShare {
    let isFar = configurations[configuration].spec.isFar
    let workers =
      isFar
      ? fleets[configurations[configuration].fleet].openCount
      : configurations[configuration].listed.count
    return PrefetchShare(
      count: max(1, readyCount(for: configuration) / max(1, workers)),
      isFar: isFar
    )
  }
}

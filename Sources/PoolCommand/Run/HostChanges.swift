import PoolModel

/// One thing that has to be done so that a run has the hosts that a file names.
enum HostChange: Hashable {
  /// Another worker configuration.
  case add(WorkerRequest)
  /// The worker configuration with this number may have that many workers; it came back if it was
  /// withdrawn.
  case limit(Int, WorkerRequest)
  /// The host of the worker configuration with this number is gone.
  case withdraw(Int, WorkerRequest)

  /// What has to be done so that the hosts of the file among these worker configurations become the
  /// wanted ones: first what adds workers, so that there are always some.
  static func changes(from entries: [WorkerRoster.Entry?], to wanted: [WorkerRequest]) -> [Self] {
    let known = entries.enumerated().filter { $0.element?.request.isFromFile == true }
    var changes: [Self] = []
    var kept: Set<Int> = []
    for request in wanted {
      guard let (index, entry) = known.first(where: { $0.element?.isSameHost(as: request) == true })
      else {
        changes.append(.add(request))
        continue
      }
      kept.insert(index)
      guard let entry, entry.isWithdrawn || entry.request.count != request.count else { continue }
      changes.append(.limit(index, request))
    }
    for case (let index, let entry?) in known where !kept.contains(index) && !entry.isWithdrawn {
      changes.append(.withdraw(index, entry.request))
    }
    return changes
  }
}

extension WorkerRoster.Entry {
  /// Whether workers of this configuration can be those that are asked for.
  ///
  /// Their features stay, and a relay that was to have as many as its machine says cannot be told a
  /// number, nor the other way round.
  fileprivate func isSameHost(as other: WorkerRequest) -> Bool {
    request.place == other.place && request.features == other.features
      && (request.count == nil) == (other.count == nil)
  }
}

import PoolModel

/// Workers that did not end as they should, in the same way.
package struct WorkerDeaths: Sendable {
  /// What was told of the first one, for people.
  package let message: String
  /// The places of the workers in the history.
  package fileprivate(set) var workers: [Int]

  /// The deaths of a run's workers by what was told of them, the most frequent first; linear.
  package static func all(of history: RunHistory) -> [WorkerDeaths] {
    var places: [String: Int] = [:]
    var groups: [WorkerDeaths] = []
    for (index, worker) in history.workers.enumerated() where worker.isDeath {
      let message = worker.message ?? worker.manner ?? ""
      if let place = places[message] {
        groups[place].workers.append(index)
      } else {
        places[message] = groups.count
        groups.append(WorkerDeaths(message: message, workers: [index]))
      }
    }
    return groups.sorted { $1.workers.count < $0.workers.count }
  }
}

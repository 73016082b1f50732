import PoolModel

/// Attempts that another one followed, for the same reason.
package struct RepeatedAttempts: Sendable {
  /// What the first one says, for people.
  package let reason: String
  package fileprivate(set) var count = 0
  /// Nanoseconds of all of them.
  package fileprivate(set) var time: Int64 = 0
  /// The places of the operations in the history, without duplicates, in order.
  package fileprivate(set) var operations: [Int] = []

  /// The repeated attempts of a run by reason, those that took most time first; linear.
  package static func all(of history: RunHistory) -> [RepeatedAttempts] {
    var places: [String: Int] = [:]
    var groups: [RepeatedAttempts] = []
    for index in history.operations.indices {
      let attempts = history.operations[index].attempts
      for number in attempts.indices
      where number < attempts.count - 1 || attempts[number].retry != nil {
        let attempt = attempts[number]
        let reason = attempt.retry?.reason ?? attempt.message ?? "unknown reason"
        let place = places[reason] ?? groups.count
        if place == groups.count {
          places[reason] = place
          groups.append(RepeatedAttempts(reason: reason))
        }
        groups[place].add(attempt, of: index)
      }
    }
    return groups.sorted { $1.time < $0.time }
  }

  private init(reason: String) { self.reason = reason }

  private mutating func add(_ attempt: HistoricAttempt, of operation: Int) {
    count += 1
    time = time.saturatingSum(attempt.duration)
    if operations.last != operation { operations.append(operation) }
  }
}

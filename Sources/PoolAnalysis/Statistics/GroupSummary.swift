import PoolEvents
package import PoolModel

/// The operations of a group, or of all that are in none, as a report shows them.
package struct GroupSummary: Sendable {
  /// Its name, UTF-8; nil for the operations that are in no group.
  package let name: [UInt8]?
  /// The places of its operations in the history.
  package let members: [Int]
  /// The durations of the last attempts; nil if none was executed.
  package let durations: Distribution?
  /// Nanoseconds of all attempts.
  package let executionTime: Int64
  /// How many ended in each way, by ``PoolEnding``'s raw value.
  package let counts: [Int]

  /// Number of operations with an ending.
  package func count(_ ending: PoolEnding) -> Int { counts[Int(ending.rawValue)] }

  package var failureCount: Int { PoolEnding.failures.reduce(0) { $0 + count($1) } }

  /// The groups of a run in the order of their first members; time is linear, but for sorting.
  ///
  /// Members of groups that the records do not describe are in no group.
  package static func all(of history: RunHistory) -> [GroupSummary] {
    var places: [Int: Int] = [:]
    var members: [(name: [UInt8]?, places: [Int])] = []
    for place in history.operations.indices {
      let number = history.operations[place].submitted.group
      let group = number.flatMap { history.groupPlace(of: $0) } ?? -1
      let index = places[group] ?? members.count
      if index == members.count {
        places[group] = index
        members.append((group < 0 ? nil : history.groups[group].id, []))
      }
      members[index].places.append(place)
    }
    return members.map { GroupSummary(name: $0.name, members: $0.places, history) }
  }

  private init(name: [UInt8]?, members: [Int], _ history: RunHistory) {
    (self.name, self.members) = (name, members)
    var counts = [Int](repeating: 0, count: PoolEnding.allCases.count)
    var durations: [Int64] = []
    var executionTime: Int64 = 0
    for place in members {
      if let ending = history.operations[place].ending { counts[Int(ending.rawValue)] += 1 }
      let attempts = history.operations[place].attempts
      var time: Int64 = 0
      for attempt in attempts.indices { time = time.saturatingSum(attempts[attempt].duration) }
      executionTime = executionTime.saturatingSum(time)
      if let last = attempts.indices.last { durations.append(attempts[last].duration) }
    }
    self.counts = counts
    self.executionTime = executionTime
    self.durations = Distribution(durations)
  }
}

import PoolEvents
package import PoolModel

/// Finds the chain of attempts that decided how long a run took.
///
/// It begins with the attempt that ended last, and goes back to what this attempt had waited for
/// last: the attempt before it, a dependency, a resource or a slot, whatever was to be had latest.
package struct DecidingChain {
  /// An attempt that has ended.
  fileprivate struct Place: Hashable {
    var operation: Int
    var attempt: Int
  }

  private let history: RunHistory
  private let ready: [Instant?]
  /// What ended in each lane.
  private let laneEnds: [EndIndex]
  private let resources: [ResourceName: ResourceUse]
  /// The member of each group that ended last, by the number of the group.
  private let lastMembers: [Int: EndIndex.Entry]
  private let lanes: SlotLanes
  private let hasBarriers: Bool
  private let holds: HeldStarts

  /// The chain in the order of time; O(*n* log *n*).
  package static func of(
    _ history: RunHistory,
    _ lanes: SlotLanes,
    ready: [Instant?]
  ) -> [DecidingStep] {
    guard let last = latestAttempt(history) else { return [] }
    let search = DecidingChain(history, lanes, ready)
    var chain: [DecidingStep] = []
    var next: Place? = last
    var seen: Set<Place> = []
    while let place = next, seen.insert(place).inserted {
      let (reason, previous) = search.reason(of: place)
      chain.append(search.step(place, reason))
      next = previous
    }
    return chain.reversed()
  }

  /// What each attempt of an operation waited for last, and the place of the operation that ended
  /// then.
  package static func waits(
    of place: Int,
    in history: RunHistory
  ) -> [(reason: DecidingStep.Reason, cause: Int?)] {
    let search = DecidingChain(history, SlotLanes(history), ReadyTimes.of(history))
    return history.operations[place].attempts.indices.map { attempt in
      let (reason, cause) = search.reason(of: Place(operation: place, attempt: attempt))
      return (reason, reason.isEnd ? cause?.operation : nil)
    }
  }

  private static func latestAttempt(_ history: RunHistory) -> Place? {
    var latest: (end: Instant, place: Place)?
    for index in history.operations.indices {
      let attempts = history.operations[index].attempts
      guard let end = attempts.last?.finished, end > latest?.end ?? .zero else { continue }
      latest = (end, Place(operation: index, attempt: attempts.count - 1))
    }
    return latest?.place
  }

  private init(_ history: RunHistory, _ lanes: SlotLanes, _ ready: [Instant?]) {
    (self.history, self.lanes) = (history, lanes)
    self.ready = ready
    holds = HeldStarts(history)
    hasBarriers = history.operations.indices.contains {
      history.operations[$0].submitted.isBarrier
    }
    var laneEnds = [EndIndex](repeating: EndIndex(), count: lanes.count)
    var resources: [ResourceName: ResourceUse] = [:]
    var lastMembers: [Int: EndIndex.Entry] = [:]
    for index in history.operations.indices {
      let attempts = history.operations[index].attempts
      let claims = history.operations[index].submitted.claims
      let group = history.operations[index].submitted.group
      for place in attempts.indices {
        guard let end = attempts[place].finished else { continue }
        let entry = EndIndex.Entry(end: end, operation: index, attempt: place)
        laneEnds[lanes[attempts[place].workerPlace]].add(entry)
        for claim in claims {
          resources[claim.resource, default: ResourceUse(units: claim.units)]
            .add(entry, from: attempts[place].started)
        }
        if let group, end > lastMembers[group]?.end ?? .zero { lastMembers[group] = entry }
      }
    }
    self.laneEnds = laneEnds.map(\.sorted)
    self.resources = resources.mapValues(\.sorted)
    self.lastMembers = lastMembers
  }

  private func step(_ place: Place, _ reason: DecidingStep.Reason) -> DecidingStep {
    let attempt = history.operations[place.operation].attempts[place.attempt]
    return DecidingStep(
      operation: place.operation,
      attempt: place.attempt,
      started: attempt.started,
      finished: attempt.finished ?? history.end,
      reason: reason
    )
  }

  private func reason(of place: Place) -> (DecidingStep.Reason, Place?) {
    let started = history.operations[place.operation].attempts[place.attempt].started
    var latest = place.attempt > 0 ? retry(place) : firstWait(of: place, until: started)
    for hold in holds.ends(before: started)
    where hold.end > latest.end.advanced(by: Self.tolerance) {
      latest = Candidate(end: hold.end, reason: hold.reason, place: latest.place)
    }
    return (latest.reason, latest.place)
  }

  /// What an attempt behind another one has waited for.
  private func retry(_ place: Place) -> Candidate {
    let earlier = Place(operation: place.operation, attempt: place.attempt - 1)
    let attempt = history.operations[place.operation].attempts[earlier.attempt]
    let end = max(attempt.finished ?? .zero, attempt.retry?.due ?? .zero)
    return Candidate(end: end, reason: .retry, place: earlier)
  }

  /// What a first attempt has waited for last, of what operations do to each other.
  private func firstWait(of place: Place, until started: Instant) -> Candidate {
    let operation = history.operations[place.operation]
    // Of what was to be had at the same time, a dependency explains most, then a resource.
    var latest = readiness(of: place)
    for claim in operation.submitted.claims {
      guard let entry = resources[claim.resource]?.release(by: started, otherThan: place.operation),
        entry.end > latest.end.advanced(by: Self.tolerance)
      else { continue }
      latest = Candidate(end: entry.end, reason: .limit(claim.resource), place: Place(entry))
    }
    if let entry = slotEnd(before: operation.attempts[place.attempt], of: place.operation),
      entry.end > latest.end.advanced(by: Self.tolerance)
    {
      latest = Candidate(end: entry.end, reason: .slot, place: Place(entry))
    }
    return latest
  }

  /// Ends that are no further apart are the same moment, told by two clocks: 1 ms.
  private static let tolerance = Int64.milliseconds(1)

  private struct Candidate {
    var end: Instant
    var reason: DecidingStep.Reason
    var place: Place?
  }

  /// What made an operation ready.
  private func readiness(of place: Place) -> Candidate {
    let operation = history.operations[place.operation]
    var latest = Candidate(end: operation.submittedAt, reason: .beginning, place: nil)
    for dependency in operation.submitted.dependencies {
      // It has ended for sure, whatever the clock of another process says.
      guard let found = lastEnd(of: dependency.number), found.end > latest.end else { continue }
      latest = Candidate(end: found.end, reason: .dependency, place: found.place)
    }
    // Whatever else has held it back was before a barrier.
    if hasBarriers, let ready = ready[place.operation],
      ready > latest.end.advanced(by: Self.barrierTolerance), let end = anyEnd(by: ready)
    {
      latest = Candidate(end: ready, reason: .barrier, place: end)
    }
    return latest
  }

  /// An operation that was ready so much later than its dependencies ended waited for a barrier:
  /// 20 ms.
  private static let barrierTolerance = Int64.milliseconds(20)

  /// When an operation ended, or the last member of a group.
  private func lastEnd(of number: Int) -> (end: Instant, place: Place?)? {
    if let index = history.place(of: number) {
      let operation = history.operations[index]
      guard let end = operation.settled else { return nil }
      guard !operation.attempts.isEmpty else { return (end, nil) }
      return (end, Place(operation: index, attempt: operation.attempts.count - 1))
    }
    if let last = lastMembers[number] { return (last.end, Place(last)) }
    guard let group = history.groupPlace(of: number), let end = history.groups[group].settled else {
      return nil
    }
    return (end, nil)
  }

  private func slotEnd(before attempt: HistoricAttempt, of operation: Int) -> EndIndex.Entry? {
    // One that needs several slots waits for the last of them.
    if history.operations[operation].submitted.slots > 1 {
      let ends = laneEnds.compactMap { $0.last(by: attempt.started, otherThan: operation) }
      return ends.max { $0.end < $1.end }
    }
    return laneEnds[lanes[attempt.workerPlace]].last(by: attempt.started, otherThan: operation)
  }

  /// The attempt in any lane that ended last by then.
  private func anyEnd(by time: Instant) -> Place? {
    laneEnds.compactMap { $0.last(by: time, otherThan: -1) }.max { $0.end < $1.end }
      .map { Place($0) }
  }
}

extension DecidingChain.Place {
  fileprivate init(_ entry: EndIndex.Entry) {
    self.init(operation: entry.operation, attempt: entry.attempt)
  }
}

/// Attempts in the order of their ends.
private struct EndIndex {
  struct Entry {
    let end: Instant
    let operation: Int
    let attempt: Int
  }

  private var entries: [Entry] = []
  private var times: [Instant] = []

  mutating func add(_ entry: Entry) { entries.append(entry) }

  var sorted: Self {
    var sorted = self
    sorted.entries.sort { $0.end < $1.end }
    sorted.times = sorted.entries.map(\.end)
    return sorted
  }

  /// How many ended before a moment; O(log *n*).
  func count(before time: Instant) -> Int { SortedTimes.count(times, before: time) }

  /// The last attempt of another operation that ended by then; O(log *n*).
  func last(by time: Instant, otherThan operation: Int) -> Entry? {
    entries[..<count(before: time.advanced(by: 1))].last { $0.operation != operation }
  }
}

/// The attempts that held units of a resource.
private struct ResourceUse {
  private let units: Int
  private var starts: [Instant] = []
  private var ends = EndIndex()

  init(units: Int) { self.units = units }

  mutating func add(_ entry: EndIndex.Entry, from start: Instant) {
    starts.append(start)
    ends.add(entry)
  }

  var sorted: Self {
    var sorted = self
    sorted.starts.sort()
    sorted.ends = ends.sorted
    return sorted
  }

  /// The last attempt of another operation that ended by then, if no unit was free before it did.
  func release(by time: Instant, otherThan operation: Int) -> EndIndex.Entry? {
    guard let entry = ends.last(by: time, otherThan: operation) else { return nil }
    let held = SortedTimes.count(starts, before: entry.end) - ends.count(before: entry.end)
    return held >= units ? entry : nil
  }
}

package import PoolEvents
package import PoolModel

/// The operations of a run that is executed in virtual time: how long each attempt takes, and what
/// operations need.
package struct VirtualPlan: Sendable {
  /// An attempt of an operation.
  package struct Attempt: Hashable, Sendable {
    /// Nanoseconds, where no processor is wanting.
    package var duration: Int64
    /// Nanoseconds of processor time.
    package var processorTime: Int64
    package var succeeds: Bool
    /// Nanoseconds from its end to the next attempt.
    package var delay: Int64

    package init(duration: Int64, processorTime: Int64 = 0, succeeds: Bool = true, delay: Int64 = 0)
    {
      (self.duration, self.processorTime) = (duration, processorTime)
      (self.succeeds, self.delay) = (succeeds, delay)
    }
  }

  /// A resource, and how many operations may use it at once.
  package struct Resource: Hashable, Sendable {
    package var name: ResourceName
    package var units: Int

    package init(name: ResourceName, units: Int) { (self.name, self.units) = (name, units) }
  }

  /// An operation.
  package struct Node: Sendable {
    /// At least one.
    package var attempts: [Attempt]
    /// Other nodes, and groups by their place behind all nodes.
    package var dependencies: [SubmittedRecord.Dependency] = []
    /// The place of its group among the groups.
    package var group: Int?
    /// The places of its resources.
    package var claims: [Int] = []
    package var slots = 1
    package var priority = PoolQueuePriority.normal
    package var isBarrier = false
    /// Nanoseconds from the beginning of the run to its submission.
    package var submission: Int64 = 0

    package init(attempts: [Attempt]) { self.attempts = attempts }

    /// Whether the core treats it as another one once it is ready; false where that is not obvious.
    func isDispatched(as other: Self) -> Bool {
      attempts.count == 1 && other.attempts.count == 1 && slots == other.slots
        && priority == other.priority && isBarrier == other.isBarrier && claims == other.claims
    }
  }

  package var nodes: [Node] = []
  package var groupCount = 0
  package var resources: [Resource] = []
  /// Nanoseconds from the start of a worker to its greeting.
  package var greetingTime: Int64 = 0
  /// Nanoseconds from one attempt of a worker to the next that is ready.
  package var handoverTime: Int64 = 0
  /// Number of processors.
  package var cores = Int.max

  package init() {}

  /// Whether all attempts, one after the other, take less than 30 years, so that times of the plan
  /// can be added.
  var isFinite: Bool {
    let total = nodes.indices.reduce(0.0) { sum, node in
      nodes[node].attempts.reduce(sum + Double(nodes[node].submission)) {
        $0 + Double($1.duration) + Double($1.delay)
      }
    }
    return total < 1e18
  }
}

extension VirtualPlan {
  /// The operations of a run that were executed, with what was measured; places are those of the
  /// list that is returned with it, whose elements are places in the history.
  static func of(_ history: RunHistory) -> (plan: VirtualPlan, places: [Int]) {
    var plan = VirtualPlan()
    let places = history.operations.indices.filter { place in
      let attempts = history.operations[place].attempts
      return attempts.indices.contains { attempts[$0].finished != nil }
    }
    var nodeOf = [Int](repeating: -1, count: history.operations.count)
    for (node, place) in places.enumerated() { nodeOf[place] = node }
    plan.groupCount = history.groups.count
    plan.cores = history.began?.cores ?? .max
    var resources = ResourceList()
    plan.nodes = places.map { place in
      node(of: place, in: history, nodeOf, places.count, &resources)
    }
    plan.resources = resources.all
    plan.greetingTime = WorkerTimes.greeting(history)
    plan.handoverTime = WorkerTimes.handover(history)
    return (plan, places)
  }

  /// Submissions that are no later than this are those of a workload that is read as a whole.
  private static let longestReading = Int64.milliseconds(200)

  private static func node(
    of place: Int,
    in history: RunHistory,
    _ nodeOf: [Int],
    _ count: Int,
    _ resources: inout ResourceList
  ) -> Node {
    let (attempts, ending) = (history.operations[place].attempts, history.operations[place].ending)
    var node = Node(attempts: self.attempts(from: attempts, ending))
    node.dependencies = history.operations[place].submitted.dependencies.compactMap { dependency in
      if let place = history.place(of: dependency.number) {
        guard nodeOf[place] >= 0 else { return nil }
        return SubmittedRecord.Dependency(nodeOf[place], dependency.requirement)
      }
      return history.groupPlace(of: dependency.number).map {
        SubmittedRecord.Dependency(count + $0, dependency.requirement)
      }
    }
    node.group = history.operations[place].submitted.group.flatMap { history.groupPlace(of: $0) }
    node.claims = history.operations[place].submitted.claims.map { resources.place(of: $0) }
    node.slots = history.operations[place].submitted.slots
    node.priority = history.operations[place].submitted.priority
    node.isBarrier = history.operations[place].submitted.isBarrier
    let submission = history.operations[place].submittedAt.nanoseconds
    node.submission = submission > longestReading ? submission : 0
    return node
  }

  private static func attempts(
    from attempts: [HistoricAttempt],
    _ operationEnding: PoolEnding?
  ) -> [Attempt] {
    let ended = attempts.indices.filter { attempts[$0].finished != nil }
    return ended.enumerated().map { order, place in
      let (attempt, isLast) = (attempts[place], order == ended.count - 1)
      let finish = attempt.finished ?? attempt.started
      // Beyond that, the next attempt has waited for a slot, as others do.
      let next = attempt.retry?.due ?? (isLast ? nil : finish)
      return Attempt(
        duration: attempt.duration,
        processorTime: attempt.processorTime ?? 0,
        succeeds: isLast && operationEnding != .failed && attempt.ending == .succeeded,
        delay: next.map { max($0.nanoseconds - finish.nanoseconds, 0) } ?? 0
      )
    }
  }
}

/// Resources by their names.
private struct ResourceList {
  private(set) var all: [VirtualPlan.Resource] = []
  private var places: [ResourceName: Int] = [:]

  mutating func place(of claim: SubmittedRecord.Claim) -> Int {
    let name = claim.resource
    if let place = places[name] { return place }
    places[name] = all.count
    all.append(VirtualPlan.Resource(name: name, units: claim.units))
    return all.count - 1
  }
}

/// What workers take beside the attempts.
private enum WorkerTimes {
  /// Longer pauses are none of a handover: 20 ms.
  private static let longestHandover = Int64.milliseconds(20)

  /// The median time to the greetings of a run's first workers.
  static func greeting(_ history: RunHistory) -> Int64 {
    let first = history.workers.prefix(history.began?.width ?? 1)
    return Distribution(first.compactMap { $0.greeted?.nanoseconds })?.median ?? 0
  }

  /// The median pause of a worker between two attempts, where the later one was ready.
  static func handover(_ history: RunHistory) -> Int64 {
    var ends = [Instant?](repeating: nil, count: history.workers.count)
    var pauses: [Int64] = []
    for attempt in attempts(of: history).sorted(by: { $0.started < $1.started }) {
      if let end = ends[attempt.worker] {
        let pause = attempt.started.nanoseconds - end.nanoseconds
        if pause >= 0, pause < longestHandover { pauses.append(pause) }
      }
      ends[attempt.worker] = attempt.finished
    }
    return Distribution(pauses)?.median ?? 0
  }

  private static func attempts(
    of history: RunHistory
  ) -> [(started: Instant, finished: Instant?, worker: Int)] {
    history.operations.indices.flatMap { place in
      let attempts = history.operations[place].attempts
      return attempts.indices.lazy.map {
        (attempts[$0].started, attempts[$0].finished, attempts[$0].workerPlace)
      }
    }
  }
}
